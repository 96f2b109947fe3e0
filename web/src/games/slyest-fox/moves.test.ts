import { describe, expect, test } from 'vitest';
import { fixtures } from '../../gallery/fixtures';
import { follow, sidesOf } from './duel';
import { movesOf, offersFor, parse } from './moves';
import { KINDS, type Table } from './types';

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

  test('reads every notation', () => {
    expect(parse('attack 2 with gossip')).toEqual({ does: 'attack', seat: 2, card: 'gossip', type: 'gossip' });
    expect(parse('attack 0 with sneaky as trap')).toEqual({ does: 'attack', seat: 0, card: 'sneaky-attack', type: 'trap' });
    expect(parse('trade weasel for trap')).toEqual({ does: 'trade', give: 'weasel', take: 'trap' });
    expect(parse('weasel + stop-it')).toEqual({ does: 'weasel', card: 'stop-it' });
    expect(parse('play character')).toEqual({ does: 'character' });
    expect(parse("don't care")).toEqual({ does: 'care' });
    expect(parse('challenge 3')).toEqual({ does: 'challenge', seat: 3 });
    expect(parse('draw defence')).toEqual({ does: 'draw', deck: 'defence' });
    expect(parse('discard facts')).toEqual({ does: 'discard', card: 'facts' });
    expect(parse('sing')).toBeNull();
  });
});

describe('the attack', () => {
  test.each(all.filter(({ view }) => view.table.attack))('$name: as many cards lie there as count', ({ view }) => {
    const { attack, defence } = sidesOf(view.table);
    expect([attack.length, defence.length]).toEqual([view.table.attack.attacks, view.table.attack.defences]);
  });

  const place = (gossiped: number) => ({ gossiped, trapped: 0, eliminated: false });
  const attack = { by: 0, target: 1, type: 'gossip', attacks: 2, defences: 1, interfering_stopped: false, stopped_by: null };
  const on = (phase = 'help') => ({ phase, attack, seats: [place(0), place(0)] }) as unknown as Table;
  const off = (gossiped: number) => ({ phase: 'open', attack: null, seats: [place(0), place(gossiped)] }) as unknown as Table;
  const pass = [{ seat: 1, action: 'pass' }];

  test('a mark more is a success', () => {
    expect(follow(null, on(), pass, off(1))).toMatchObject({ end: 'succeeded', attacks: 2, defences: 1 });
  });

  test('no mark more is none', () => {
    expect(follow(null, on(), pass, off(0))).toMatchObject({ end: 'beaten off' });
    expect(follow(null, on('answer'), pass, off(0))).toMatchObject({ end: 'stopped' });
    expect(follow(null, on(), [{ seat: 1, action: 'play stop-it' }], off(0))).toMatchObject({ end: 'stopped' });
  });

  test('an attack that nobody could answer', () => {
    const log = [{ seat: 0, action: 'attack 1 with universal as gossip' }];
    expect(follow(null, off(0), log, off(1))).toMatchObject({ by: 0, target: 1, type: 'gossip', end: 'succeeded' });
  });

  test('is remembered until the next one', () => {
    const outcome = follow(null, on(), pass, off(1));
    expect(follow(outcome, off(1), [{ seat: 0, action: 'ready' }], off(1))).toBe(outcome);
    expect(follow(outcome, off(1), [], on())).toBeNull();
  });
});
