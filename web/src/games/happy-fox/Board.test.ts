import { fireEvent, render } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import { fixtures, seatsOf, type Fixture } from '../../gallery/fixtures';
import Board from './Board.svelte';

const all = fixtures['happy-fox']!;

function sit({ view, log }: Fixture, busy = false) {
  const played: number[] = [];
  const { container } = render(Board, {
    props: { view, seats: seatsOf(view), log, busy, act: (action) => played.push(action.id) },
  });
  const buttons = () => [...container.querySelectorAll('button')];
  return { container, played, buttons };
}

/** Presses every control, and once more where it only picked something. */
async function reached(fixture: Fixture): Promise<Set<number>> {
  const { played, buttons } = sit(fixture);
  for (const button of buttons()) {
    const before = played.length;
    await fireEvent.click(button);
    if (played.length === before) await fireEvent.click(button);
  }
  return new Set(played);
}

describe('the board', () => {
  test.each(all)('$name: every legal action can be pressed, and nothing else', async (fixture) => {
    expect([...(await reached(fixture))].sort()).toEqual(fixture.view.legal.map(({ id }) => id).sort());
  });

  test.each(all)('$name: every control is reached by keyboard', async (fixture) => {
    const { buttons } = sit(fixture);
    const found = new Set<Element>();
    for (const stop of buttons().filter((button) => button.tabIndex === 0)) {
      stop.focus();
      for (let i = 0; i <= buttons().length; i++) {
        found.add(document.activeElement!);
        await fireEvent.keyDown(document.activeElement!, { key: 'ArrowRight' });
      }
    }
    expect(found.size).toBe(buttons().length);
  });

  test.each(all.filter(({ view }) => view.legal.length))('$name: busy, it offers nothing', (fixture) => {
    expect(sit(fixture, true).buttons()).toEqual([]);
  });

  test('a card is played by the second press alone', async () => {
    const fixture = all.find(({ view }) => view.legal.some(({ notation }) => notation === 'lay goose'))!;
    const { played, buttons } = sit(fixture);
    const goose = buttons().find((button) => button.getAttribute('aria-label')?.startsWith('goose'))!;
    await fireEvent.click(goose);
    expect(played).toEqual([]);
    await fireEvent.click(goose);
    expect(played).toHaveLength(1);
  });

  test('a second look at another card forgets the first', async () => {
    const fixture = all.find(({ view }) => view.legal.filter(({ notation }) => notation.startsWith('turn')).length > 1)!;
    const { played, buttons } = sit(fixture);
    const cards = buttons().filter((button) => button.getAttribute('aria-label')?.includes('turn it over'));
    await fireEvent.click(cards[0]!);
    await fireEvent.click(cards[1]!);
    expect(played).toEqual([]);
  });
});
