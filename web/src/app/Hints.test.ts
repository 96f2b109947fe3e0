import { render, screen } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';
import Hints from './Hints.svelte';

const legal = [{ id: 7, notation: 'lay goose', says: 'Lay a goose.', facts: {} }];
const moves = [7, 8, 9, 10].map((action) => ({ action, notation: `move ${action}`, says: '', share: 0.2, value: 0.375 }));

it('suggests three moves, plays one that is legal, and can be closed', () => {
  const act = vi.fn();
  const onclose = vi.fn();
  render(Hints, { moves, legal, busy: false, act, onclose });
  expect(screen.getAllByRole('listitem').map((one) => one.querySelector('small')!.textContent)).toEqual(['Preferred · wins 38 %', 'Wins 38 %', 'Wins 38 %']);
  screen.getByRole('button', { name: 'Play this' }).click(); // one button: the others are not legal any more
  expect(act).toHaveBeenCalledWith(legal[0]);
  screen.getByRole('button', { name: 'Close the hint' }).click();
  expect(onclose).toHaveBeenCalledOnce();
});

it('plays nothing while busy', () => {
  render(Hints, { moves, legal, busy: true, act: () => {}, onclose: () => {} });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Play this' }).disabled).toBe(true);
});
