import { describe, expect, test } from 'vitest';
import { fixtures } from '../../gallery/fixtures';
import { movesOf } from './moves';
import { follow } from './story';
import type { Entry, LegalAction, Table } from './view';

describe('moves', () => {
  test.each(fixtures['happy-fox']!)('$name: every legal action has its control', ({ view }) => {
    const moves = movesOf(view.legal);
    const found = [...Object.values(moves.hand), ...moves.turns.values()];
    if (moves.stop) found.push(moves.stop);
    expect(found.map((action) => action.id).sort()).toEqual(view.legal.map((action) => action.id).sort());
  });

  test('reads what it is given', () => {
    const facts: LegalAction['facts'][] = [
      { kind: 'lay', card: 'goose' },
      { kind: 'send-fox', prey: 1 },
      { kind: 'lay', card: 'dog' },
      { kind: 'turn-over', owner: 1, turn: 12 },
      { kind: 'stop', geese: 2 },
    ];
    const legal = facts.map((facts, id) => ({ id, notation: '', says: '', facts }));
    const moves = movesOf(legal);
    expect(moves.hand).toEqual({ goose: legal[0], fox: legal[1], dog: legal[2] });
    expect(moves.turns.get(12)).toBe(legal[3]);
    expect(moves.stop).toBe(legal[4]);
  });
});

describe('the story of a grab', () => {
  const on = { grab: { by: 1, victim: 0, geese: [{ seat: 0, turn: 2 }] } } as Table;
  const quiet = { grab: null } as Table;
  const told = (...events: Entry['events']): Entry => ({ ply: 1, seat: 1, action: '', says: [], events });
  const caught = told({ kind: 'fox-caught', seat: 1, owner: 0, turn: 5 });
  const laid = told({ kind: 'card-laid', seat: 0, card: null });
  const stopped = told({ kind: 'grab-ended', seat: 1, geese: 1, stopped: true });

  test('a grab goes on', () => {
    expect(follow(null, null, [], on)).toMatchObject({ by: 1, victim: 0, end: 'on' });
  });

  test('a dog ends it', () => {
    const story = follow(null, on, [caught], quiet);
    expect(story).toMatchObject({ end: 'caught', dog: 5, victim: 0, geese: [{ seat: 0, turn: 2 }] });
  });

  test('the last goose to be had ends it well', () => {
    const last = told(
      { kind: 'goose-found', seat: 1, owner: 0, turn: 5 },
      { kind: 'grab-ended', seat: 1, geese: 2, stopped: false },
    );
    const story = follow(null, on, [last], quiet);
    expect(story).toMatchObject({ end: 'kept', dog: null });
    expect(story!.geese).toHaveLength(2);
  });

  test('stopping keeps what was turned up', () => {
    expect(follow(null, on, [stopped], quiet)).toMatchObject({ end: 'kept', geese: [{ seat: 0, turn: 2 }] });
  });

  test('a fox without prey', () => {
    const sent = told({ kind: 'fox-sent', seat: 1, prey: null });
    expect(follow(null, quiet, [sent], quiet)).toMatchObject({ end: 'no prey', by: 1 });
  });

  test('is remembered while cards are laid, also when several actions arrive at once', () => {
    const kept = follow(null, on, [stopped], quiet);
    expect(follow(kept, quiet, [laid], quiet)).toMatchObject({ end: 'kept', since: 1 });
    expect(follow(kept, quiet, [laid, laid, laid, laid], quiet)).toBeNull();
    expect(follow(follow(null, null, [], on), on, [caught, laid], quiet)).toMatchObject({ end: 'caught', since: 1 });
  });
});
