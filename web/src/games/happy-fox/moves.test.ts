import { describe, expect, test } from 'vitest';
import { fixtures } from '../../gallery/fixtures';
import { movesOf } from './moves';
import { follow } from './story';
import type { Table } from './types';

describe('moves', () => {
  test.each(fixtures['happy-fox']!)('$name: every legal action has its control', ({ view }) => {
    const moves = movesOf(view.legal);
    const found = [...Object.values(moves.hand), ...moves.turns.values()];
    if (moves.stop) found.push(moves.stop);
    expect(found.map((action) => action.id).sort()).toEqual(view.legal.map((action) => action.id).sort());
  });

  test('reads what it is given', () => {
    const legal = ['lay goose', 'fox', 'lay dog', 'turn 12', 'stop'].map((notation, id) => ({ id, notation, says: '' }));
    const moves = movesOf(legal);
    expect(moves.hand).toEqual({ goose: legal[0], fox: legal[1], dog: legal[2] });
    expect(moves.turns.get(12)).toBe(legal[3]);
    expect(moves.stop).toBe(legal[4]);
  });
});

describe('the story of a grab', () => {
  const place = (foxes = 0) => ({ won_by_set: [{ goose: 0, fox: 0, dog: 0 }, { goose: 0, fox: foxes, dog: 0 }] });
  const on = { seats: [place(), place()], grab: { by: 1, victim: 0, geese: [{ seat: 0, turn: 2 }] } } as unknown as Table;
  const quiet = (foxes: number) => ({ seats: [place(foxes), place()], grab: null }) as unknown as Table;

  test('a grab goes on', () => {
    expect(follow(null, null, [], on)).toMatchObject({ by: 1, victim: 0, end: 'on' });
  });

  test('a dog is seen by the fox that changes hands', () => {
    const story = follow(null, on, [{ seat: 1, action: 'turn 5' }], quiet(1));
    expect(story).toMatchObject({ end: 'caught', dog: 5, victim: 0, geese: [{ seat: 0, turn: 2 }] });
  });

  test('the last goose to be had ends it well', () => {
    const story = follow(null, on, [{ seat: 1, action: 'turn 5' }], quiet(0));
    expect(story).toMatchObject({ end: 'kept', dog: null });
    expect(story!.geese).toHaveLength(2);
  });

  test('stopping keeps what was turned up', () => {
    const story = follow(null, on, [{ seat: 1, action: 'stop' }], quiet(0));
    expect(story).toMatchObject({ end: 'kept', geese: [{ seat: 0, turn: 2 }] });
  });

  test('a fox without prey', () => {
    expect(follow(null, quiet(0), [{ seat: 1, action: 'fox' }], quiet(0))).toMatchObject({ end: 'no prey', by: 1 });
  });

  test('is remembered while cards are laid, and not made up after a gap', () => {
    const kept = follow(null, on, [{ seat: 1, action: 'stop' }], quiet(0));
    expect(follow(kept, quiet(0), [{ seat: 0, action: 'lay card' }], quiet(0))).toMatchObject({ end: 'kept', since: 1 });
    const gap = [{ seat: 1, action: 'turn 5' }, { seat: 0, action: 'lay card' }];
    expect(follow(follow(null, null, [], on), on, gap, quiet(1))).toBeNull();
  });
});
