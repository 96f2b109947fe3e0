import { render, screen, within } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { fixtures, seatsOf } from '../gallery/fixtures';
import type { View } from './board';
import PlainBoard from './PlainBoard.svelte';

/** All texts with a space between them, so that no two run into one. */
function textOf(element: Element): string {
  const texts: string[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode.textContent!.trim());
  return ` ${texts.join(' ').replaceAll(/\s+/g, ' ')} `;
}

/** All values that must be told; what is of size 0 is told to be empty. */
function leavesOf(value: unknown): string[] {
  if (value === null || typeof value === 'boolean' || value === '') return [];
  if (typeof value !== 'object') return [String(value)];
  return Object.entries(value).flatMap(([name, one]) => (name.endsWith('_size') && one === 0 ? [] : leavesOf(one)));
}

const draw = (view: View, more = {}) => render(PlainBoard, { view, seats: seatsOf(view), log: [], act: () => {}, busy: false, ...more });

const tiny: View = {
  game: 'none',
  rules_version: 1,
  options: {},
  together: false,
  names: ['Mia', 'Jonas', 'Amara'],
  seat: 1,
  ply: 3,
  to_act: 1,
  question: 'Play a card.',
  rules_now: [],
  legal: [
    { id: 0, notation: 'play 3', says: 'Play the 3.', facts: { kind: 'choice' } },
    { id: 1, notation: 'pass', says: 'Pass.', facts: { kind: 'choice' } },
  ],
  table: {
    deck: 9,
    season: 'spring',
    last_round: true,
    over: false,
    trick: null,
    discard: [],
    seats: [
      { hand: null, hand_size: 2, won: { goose: 1 } },
      { hand: ['3', '4'], hand_size: 2, won: { goose: 0 }, protected: true },
      { hand: null, hand_size: 0, won: { goose: 2 } },
    ],
  },
};

describe('the plain board', () => {
  for (const [game, list] of Object.entries(fixtures)) {
    it(`tells all that a table of ${game} holds`, () => {
      for (const { name, view } of list) {
        const { container, unmount } = draw(view);
        const { seats, ...shared } = view.table;
        const around = view.names.map((_, i) => (i + (view.seat ?? 0)) % view.names.length);
        const places = [...container.querySelectorAll('.place')];
        expect(places).toHaveLength(view.names.length);
        const held: [Element, unknown][] = [[container.querySelector('.shared')!, shared], ...places.map((place, i): [Element, unknown] => [place, seats[around[i]!]])];
        for (const [element, values] of held) {
          const text = textOf(element);
          const untold = leavesOf(values).filter((leaf) => !text.includes(` ${leaf} `));
          expect(untold, name).toEqual([]);
        }
        unmount();
      }
    });
  }

  it('puts the viewer first, and marks whose turn it is', async () => {
    const { rerender } = draw(tiny);
    const own = within(screen.getByRole('list', { name: 'Your place' })).getAllByRole('listitem')[0]!;
    expect(textOf(own)).toContain('Jonas (you)');
    expect(textOf(own)).toContain('to move');
    const others = () => [...screen.getByRole('list', { name: 'Other seats' }).children].map((place) => textOf(place));
    expect(others().map((text) => text.match(/Mia|Jonas|Amara/)![0])).toEqual(['Amara', 'Mia']);
    expect(others().join()).not.toContain('to move');
    await rerender({ view: { ...tiny, to_act: 0, legal: [], question: 'Waiting for Mia.' } });
    expect(others().map((text) => text.includes('to move'))).toEqual([false, true]);
    expect(screen.getByText('Waiting for Mia.')).toBeTruthy();
    await rerender({ view: { ...tiny, seat: null, legal: [] } });
    expect(screen.getByRole('list', { name: 'Seats' }).children).toHaveLength(3);
    expect(document.querySelector('.moves')).toBeNull();
  });

  it('shows hidden cards face down, marks while they are true, and what is empty', () => {
    draw(tiny);
    const [amara, mia] = [...screen.getByRole('list', { name: 'Other seats' }).children];
    expect(mia!.querySelectorAll('.down')).toHaveLength(2);
    expect(textOf(mia!)).toContain(' Hand 2 2 face down ');
    expect(amara!.querySelectorAll('.down')).toHaveLength(0);
    expect(textOf(amara!)).toContain(' Empty: Hand ');
    const shared = textOf(document.querySelector('.shared')!);
    expect(shared).toContain(' Deck 9 Season spring Last round ');
    expect(shared).toContain(' Empty: Discard ');
    expect(shared).not.toMatch(/Over|Trick/);
    const hand = within(screen.getByRole('list', { name: 'Your place' })).getByRole('list', { name: 'Hand 2' });
    expect(within(hand).getAllByRole('listitem').map((card) => card.textContent!.trim())).toEqual(['3', '4']);
  });

  it('folds a long list of values, and never cards', () => {
    const many = Object.fromEntries([...Array(30).keys()].map((n) => [`card ${n}`, 1]));
    draw({ ...tiny, table: { ...(tiny.table as object), left: many, line: Object.keys(many) } });
    const folded = screen.getByText('Left').closest('details')!;
    expect(folded.open).toBe(false);
    expect(screen.getByText('Line').closest('details')).toBeNull();
  });

  it('offers every move, and plays what is pressed', () => {
    const act = vi.fn();
    draw(tiny, { act });
    screen.getByRole('button', { name: 'Pass.' }).click();
    expect(act).toHaveBeenCalledWith(tiny.legal[1]);
  });

  it('draws a table of any shape', () => {
    for (const table of [null, 3, 'open', [], ['a'], { seats: 5 }, { seats: [1, 2, 3] }, { board: [[1, 2], [true, { a: { b: [{}] } }]] }]) {
      const { container, unmount } = draw({ ...tiny, table });
      expect(textOf(container)).toContain('Jonas (you)');
      unmount();
    }
  });
});
