import { fireEvent, render, screen } from '@testing-library/svelte';
import { describe, expect, test, vi } from 'vitest';
import { fixtures, seatsOf } from '../../gallery/fixtures';
import Board from './Board.svelte';
import { movesOf } from './moves';
import { explain, nameOf, rowWolf } from './tokens';
import { ROWS, type LegalAction, type Props, type Table } from './view';

// A board has a thousand parts, which a simulated browser takes its time to draw.
vi.setConfig({ testTimeout: 20_000 });

const all = fixtures['foxy-and-woolly']!;
const own = all.filter(({ view }) => view.legal.length > 0);

function sit({ view, log }: (typeof all)[number], busy = false) {
  const act = vi.fn<Props['act']>();
  const drawn = render(Board, { view, seats: seatsOf(view), log, act, busy });
  return { act, ...drawn };
}

/** Finds a button by its name; by role it would take seconds on a board of so many parts. */
function button(name: string | RegExp): HTMLButtonElement {
  const named = (one: HTMLButtonElement) => one.getAttribute('aria-label') ?? one.textContent.trim();
  const found = [...document.querySelectorAll('button')].find((one) =>
    typeof name === 'string' ? named(one) === name : name.test(named(one)),
  );
  if (!found || found.disabled) throw new Error(`there is no button ${name}`);
  return found;
}

const press = (name: string | RegExp) => fireEvent.click(button(name));

test('only the sheep that a wolf is after glows; others that may move have a quiet rim', () => {
  for (const fixture of own.filter(({ view }) => movesOf(view.legal).sheep.length > 0)) {
    const { container, unmount } = sit(fixture);
    const { danger }: Table = fixture.view.table;
    const hunted = danger?.seat === fixture.view.seat ? danger.slot : null;
    const slots = (look: string) => [...container.querySelectorAll<HTMLElement>(`.slot.${look}`)].map((slot) => Number(slot.dataset.slot));
    const movable = [...new Set(movesOf(fixture.view.legal).sheep.map(({ from }) => from))].sort();
    expect(slots('lit')).toEqual(movable.filter((slot) => slot === hunted));
    expect(slots('possible').sort()).toEqual(movable.filter((slot) => slot !== hunted));
    unmount();
  }
});

test('row wolves are named by their rows', () => {
  expect(ROWS.map((row) => nameOf(rowWolf(row)))).toEqual(['top-row wolf', 'middle-row wolf', 'bottom-row wolf']);
  expect(nameOf('wolf 5')).toBe('wolf 5');
});

describe('every legal action can be played on the board', () => {
  test.each(own)('$name', async (fixture) => {
    const moves = movesOf(fixture.view.legal);
    const expected = new Set(fixture.view.legal.map((action) => action.id));
    const played = new Set<number>();
    const { act } = sit(fixture);

    async function play(action: LegalAction, how: () => Promise<unknown>): Promise<void> {
      act.mockClear();
      await how();
      expect(act, action.says).toHaveBeenCalledOnce();
      expect(act).toHaveBeenCalledWith(action);
      played.add(action.id);
    }

    const { chase, take, steal, pass, fire, hold, stay } = moves;
    for (const action of [chase, take, steal, pass, fire, hold, stay]) {
      if (action) await play(action, () => press(action.says));
    }
    for (const [i, { action }] of moves.bids.entries()) {
      if (i > 0) await press('One cube more');
      await play(action, () => press(action.says));
    }
    for (const { action } of moves.faces) await play(action, () => press(action.says));
    for (const { from, action } of moves.sheep) {
      await play(action, async () => {
        await press(new RegExp(`^Slot ${from}: .*choose to move`));
        await press(action.says);
      });
    }
    expect(played).toEqual(expected);
  });
});

test('the slider bids too', async () => {
  const fixture = own.find(({ view }) => movesOf(view.legal).bids.length > 3)!;
  const { bids } = movesOf(fixture.view.legal);
  const { act } = sit(fixture);
  await fireEvent.input(screen.getByRole('slider'), { target: { value: String(bids[2]!.cubes) } });
  await press(bids[2]!.action.says);
  expect(act).toHaveBeenCalledWith(bids[2]!.action);
});

const phases = [...new Map(own.map((fixture) => [fixture.view.table.phase, fixture])).values()];

test.each(phases)('$name: while busy nothing is offered', (fixture) => {
  sit(fixture, true);
  expect([...document.querySelectorAll('button')]).toEqual([]);
});

test.each(all)('$name: every farm, sheep and token is drawn', (fixture) => {
  const { container } = sit(fixture);
  const table: Table = fixture.view.table;
  expect(container.querySelectorAll('.farm')).toHaveLength(table.seats.length);
  expect(container.querySelectorAll('.ring li')).toHaveLength(table.line.length);
  const sheep = table.seats.reduce((sum, seat) => sum + seat.sheep.length, 0);
  expect(container.querySelectorAll('.slot .sheep')).toHaveLength(sheep);
  const waiting = table.seats.reduce((sum, seat) => sum + seat.row_wolves.length, 0);
  expect(container.querySelectorAll('.waits')).toHaveLength(waiting);
});

test('the final count adds up, line by line', () => {
  const over = all.find(({ view }) => view.table.phase === 'over')!;
  sit(over);
  const counts = screen.getAllByRole('list', { name: 'How it counts' });
  expect(counts).toHaveLength(over.view.scores!.length);
  for (const list of counts) {
    const numbers = [...list.querySelectorAll('b')].map((b) => Number(b.textContent));
    const sum = numbers.pop();
    expect(numbers.reduce((a, b) => a + b, 0)).toBe(sum);
  }
});

test('every token that can come up is explained', () => {
  for (const { view } of all) {
    const table: Table = view.table;
    for (const token of [...table.line, ...table.out]) expect(explain(token, table), token).not.toBe('');
  }
});
