import { render } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { fixtures, seatsOf, type Fixture } from '../gallery/fixtures';
import { acts, actsOn } from './acts';
import { boardOf } from './board';

it('names the actions that are there', () => {
  const action = (id: number) => ({ id, notation: '', says: '', facts: {} });
  expect(acts(action(3), undefined, action(0), null)).toBe('3 0');
  expect(acts(undefined)).toBeUndefined();
});

describe.each(Object.keys(fixtures))('the board of %s', (game) => {
  // Of each phase the position with the most moves
  const most = new Map<string, Fixture>();
  for (const one of fixtures[game]!) {
    const { phase } = one.view.table;
    if (one.view.legal.length > (most.get(phase)?.view.legal.length ?? 0)) most.set(phase, one);
  }

  it.each([...most.values()])('has a place for every move a hint may mean: $name', async ({ view, log }) => {
    const Board = (await boardOf(game))!;
    const { container } = render(Board, { view, log, seats: seatsOf(view), act: () => {}, busy: false });
    const missing = view.legal.filter((action) => !container.querySelector(actsOn(action.id)));
    expect(missing.map((action) => action.notation)).toEqual([]);
  });
});
