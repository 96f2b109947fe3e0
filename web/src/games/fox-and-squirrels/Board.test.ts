import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, test, vi } from 'vitest';
import { fixtures, seatsOf } from '../../gallery/fixtures';
import Board from './Board.svelte';
import { fullName } from './cards';
import { arrange, keep, shift } from './hand';
import { movesOf } from './moves';
import type { Entry, LegalAction, Props, Table } from './view';

// A board has a thousand parts, which a simulated browser takes its time to draw.
vi.setConfig({ testTimeout: 20_000 });

const all = fixtures['fox-and-squirrels']!;
const own = all.filter(({ view }) => view.legal.length > 0);

function sit(fixture: (typeof all)[number], busy = false) {
  const act = vi.fn<Props['act']>();
  const { view, log } = fixture;
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

/** Chooses cards in the hand, each copy once. */
async function choose(cards: string[]): Promise<void> {
  for (const card of cards) await press(new RegExp(`^${fullName(card)}; choose`));
}

/** A legal discard, as the server would offer it. */
function discardOf(card: string): LegalAction {
  const facts = { kind: 'discard' as const, card, bonus: null };
  return { id: 1, notation: `discard ${card}`, says: `Discard ${card}.`, facts };
}

describe('every legal action can be played on the board', () => {
  test.each(own)('$name', async (fixture) => {
    const moves = movesOf(fixture.view.legal);
    const expected = new Set(fixture.view.legal.map((action) => action.id));
    const played = new Set<number>();
    const { act, queryByText } = sit(fixture);

    async function play(action: LegalAction, how: () => Promise<unknown>): Promise<void> {
      act.mockClear();
      await how();
      expect(act, action.says).toHaveBeenCalledOnce();
      expect(act).toHaveBeenCalledWith(action);
      played.add(action.id);
      if (queryByText('Cancel')) await press('Cancel');
    }

    for (const action of [moves.draw, moves.take, moves.plan]) {
      if (action) await play(action, () => press(action.says));
    }
    for (const meld of moves.melds) {
      await play(meld.action, async () => {
        await choose(meld.cards);
        await press(new RegExp(`^Lay the ${meld.kind}`));
      });
    }
    for (const claim of moves.claims) {
      await play(claim.action, async () => {
        await press(claim.action.says);
        await press(claim.action.says);
      });
    }
    for (const [card, action] of moves.discards) {
      await play(action, async () => {
        await choose([card]);
        await press(`Discard ${fullName(card)}`);
      });
    }
    expect(played).toEqual(expected);
  });
});

test('a meld that is offered raises its cards before it is laid', async () => {
  const fixture = own.find(({ view }) => movesOf(view.legal).melds.length > 0)!;
  const meld = movesOf(fixture.view.legal).melds[0]!;
  const { act } = sit(fixture);
  await press(`Choose the ${meld.kind} ${meld.cards.map(fullName).join(', ')}`);
  expect(act).not.toHaveBeenCalled();
  expect(screen.getAllByRole('button', { pressed: true, name: /put back/ })).toHaveLength(3);
});

test('the keyboard goes on from an offer to laying it', async () => {
  const fixture = own.find(({ view }) => movesOf(view.legal).melds.length > 0)!;
  const meld = movesOf(fixture.view.legal).melds[0]!;
  const { act } = sit(fixture);
  const offer = button(`Choose the ${meld.kind} ${meld.cards.map(fullName).join(', ')}`);
  offer.focus();
  await fireEvent.keyDown(offer, { key: 'Enter' });
  await fireEvent.click(offer);
  await tick();
  await fireEvent.click(document.activeElement!);
  expect(act).toHaveBeenCalledWith(meld.action);
});

test('discarding before a play plans for winter, and discards once that is answered', async () => {
  const at = own.findIndex(({ view }) => movesOf(view.legal).plan);
  const planning = own[at]!;
  const { act, rerender } = sit(planning);
  const card = (planning.view.table as Table).seats[planning.view.seat!]!.hand![0]!;
  await choose([card]);
  await press(`Discard ${fullName(card)} and play nothing`);
  expect(act).toHaveBeenLastCalledWith(movesOf(planning.view.legal).plan);

  const discard = discardOf(card);
  const table = { ...planning.view.table, phase: 'discard' };
  await rerender({ view: { ...planning.view, ply: planning.view.ply + 1, legal: [discard], table } });
  expect(act).toHaveBeenLastCalledWith(discard);
  expect(act).toHaveBeenCalledTimes(2);
});

test('a discard chosen for one turn is forgotten when the table has moved on', async () => {
  const planning = own.find(({ view }) => movesOf(view.legal).plan)!;
  const { act, rerender } = sit(planning);
  const card = (planning.view.table as Table).seats[planning.view.seat!]!.hand![0]!;
  await choose([card]);
  await press(`Discard ${fullName(card)} and play nothing`);
  const discard = discardOf(card);
  const table = { ...planning.view.table, phase: 'discard' };
  await rerender({ view: { ...planning.view, ply: planning.view.ply + 9, legal: [discard], table } });
  expect(act).toHaveBeenCalledOnce();
});

test('a fox on the discard pile speaks only when it has just been drawn', () => {
  const called = all.find(({ view }) => view.table.top === 'fox')!;
  const told = (...events: Entry['events']) => [{ ply: 1, seat: 1, action: 'draw', says: ['Told.'], events }];
  const fox = sit({ ...called, log: told({ kind: 'fox-drawn', seat: 1, acorns: 1, heap: false, dare: null }) });
  expect(fox.container.querySelector('.visit')!.textContent.trim()).toBe('Told.');
  fox.unmount();
  const later = sit({ ...called, log: told({ kind: 'card-drawn', seat: 1, card: null }) });
  expect(later.container.querySelector('.visit')).toBeNull();
});

test('while busy nothing is offered', () => {
  const fixture = own.find(({ view }) => view.table.phase === 'discard')!;
  sit(fixture, true);
  expect(screen.queryByRole('button', { name: /choose/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /Discard/ })).toBeNull();
});

test.each(all)('$name: every seat, pile and card on the table is drawn', ({ view, log, name }) => {
  const { container } = sit({ view, log, name });
  const table: Table = view.table;
  expect(container.querySelectorAll('.grove')).toHaveLength(table.seats.length);
  expect(container.querySelectorAll('.pile .cards')).toHaveLength(table.piles.length);
  const mine = table.seats[view.seat ?? 0]!;
  if (mine.hand && table.phase !== 'over') {
    expect(container.querySelectorAll('.slot')).toHaveLength(mine.hand.length);
  }
});

test('Shift and an arrow key move a card within the hand', async () => {
  const { container } = sit(own[0]!);
  const keys = () => [...container.querySelectorAll<HTMLElement>('.held')].map((one) => one.dataset.drop);
  const before = keys();
  const first = container.querySelector('.held')!;
  await fireEvent.keyDown(first, { key: 'ArrowRight', shiftKey: true });
  expect(keys()).toEqual([before[1], before[0], ...before.slice(2)]);
});

describe('a hand', () => {
  test('keeps its cards when one comes, and loses the one that was played', () => {
    const hand = keep([], ['9h', '2c', '9h'], 'own');
    const more = keep(hand, ['2c', '9h', '9h', 'ks'], 'own');
    expect(more.slice(0, 3)).toEqual(hand);
    const fewer = keep(more, ['2c', '9h', 'ks'], 'own', [hand[0]!.key]);
    expect(fewer.map((one) => one.key)).toEqual([hand[1]!.key, hand[2]!.key, more[3]!.key]);
  });

  test('sorts by rank and by suit', () => {
    const hand = keep([], ['kd', 'ac', '10s', '2d'], 'own');
    expect(arrange(hand, 'rank').map((one) => one.card)).toEqual(['ac', '2d', '10s', 'kd']);
    expect(arrange(hand, 'suit').map((one) => one.card)).toEqual(['ac', '2d', 'kd', '10s']);
  });

  test('shifts a card, and stops at its ends', () => {
    const hand = keep([], ['2c', '3c', '4c'], 'own');
    expect(shift(hand, hand[0]!.key, 9).map((one) => one.card)).toEqual(['3c', '4c', '2c']);
    expect(shift(hand, hand[2]!.key, -1).map((one) => one.card)).toEqual(['4c', '2c', '3c']);
  });
});
