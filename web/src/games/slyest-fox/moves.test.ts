import { describe, expect, test } from 'vitest';
import { fixtures } from '../../gallery/fixtures';
import { follow, sidesOf } from './duel';
import { movesOf, offersFor } from './moves';
import { KINDS, type AttackEnded, type Entry, type LegalAction, type Table } from './view';

const all = fixtures['slyest-fox']!;

describe('moves', () => {
  test.each(all)('$name: every legal action is offered for something', ({ view }) => {
    const moves = movesOf(view.legal);
    const found = new Set<number>();
    if (moves.pass) found.add(moves.pass.id);
    if (moves.character) found.add(moves.character.id);
    Object.values(moves.decks).forEach((action) => found.add(action.id));
    for (const card of KINDS) offersFor(moves, { card }).forEach(({ action }) => found.add(action.id));
    view.names.forEach((_, seat) => offersFor(moves, { seat }).forEach(({ action }) => found.add(action.id)));
    expect(found).toEqual(new Set(view.legal.map(({ id }) => id)));
  });

  test('reads what it is given', () => {
    const facts: LegalAction['facts'][] = [
      { kind: 'ready' },
      { kind: 'protect' },
      { kind: 'draw', deck: 'defence', reshuffles: false },
      { kind: 'challenge', seat: 3 },
      { kind: 'trade', given: 'weasel', taken: 'trap' },
      { kind: 'attack', target: 0, card: 'sneaky-attack', type: 'trap' },
      { kind: 'play', card: 'stop-it', weasel: true, side: null },
      { kind: 'play', card: 'sneaky-defence', weasel: false, side: 'defence' },
      { kind: 'use-character', character: 'schemer', card: 'caution', side: 'defence' },
      { kind: 'discard', card: 'facts' },
    ];
    const legal = facts.map((facts, id) => ({ id, notation: '', says: '', facts }));
    const moves = movesOf(legal);
    expect(moves.pass).toBe(legal[0]);
    expect(moves.hand).toEqual({
      'dont-care': legal[1],
      'stop-it': legal[6],
      'sneaky-defence': legal[7],
      facts: legal[9],
    });
    expect(moves.weasels).toEqual(new Set(['stop-it']));
    expect(moves.decks).toEqual({ defence: legal[2] });
    expect(moves.challenges.get(3)).toBe(legal[3]);
    expect(moves.character).toBe(legal[8]);
    expect(offersFor(moves, { card: 'sneaky-attack' })).toEqual([
      { action: legal[5], does: 'attack', card: 'sneaky-attack', seat: 0, type: 'trap' },
    ]);
    expect(offersFor(moves, { card: 'weasel' })).toEqual([
      { action: legal[6], does: 'play', card: 'stop-it', weasel: true },
      { action: legal[4], does: 'trade', card: 'trap' },
    ]);
  });
});

describe('the attack', () => {
  test.each(all.filter(({ view }) => view.table.attack))('$name: as many cards lie there as count', ({ view }) => {
    const { attack, defence } = sidesOf(view.table);
    expect([attack.length, defence.length]).toEqual([view.table.attack.attacks, view.table.attack.defences]);
  });

  const on = { attack: { by: 0, target: 1 } } as Table;
  const off = { attack: null } as Table;
  const told = (...events: Entry['events']): Entry => ({ ply: 1, seat: 0, action: '', says: [], events });
  const ended = (result: AttackEnded['result']): AttackEnded => ({
    kind: 'attack-ended',
    by: 0,
    target: 1,
    type: 'gossip',
    attacks: 2,
    defences: 1,
    result,
    lives: 2,
  });

  test('its end is remembered until the next one', () => {
    const outcome = ended('succeeded');
    expect(follow(null, on, [told({ kind: 'passed', seat: 1 }, outcome)], off)).toBe(outcome);
    expect(follow(outcome, off, [told({ kind: 'said-ready', seat: 0 })], off)).toBe(outcome);
    expect(follow(outcome, off, [], on)).toBeNull();
  });

  test('the last of several counts', () => {
    const log = [told(ended('failed')), told({ kind: 'turn-began', seat: 1 }), told(ended('stopped'))];
    expect(follow(ended('succeeded'), on, log, off)).toMatchObject({ result: 'stopped' });
    expect(follow(null, off, log, on)).toBeNull();
  });
});
