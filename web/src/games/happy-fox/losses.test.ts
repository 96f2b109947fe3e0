import { expect, test } from 'vitest';
import lossesOf from './losses';
import type { Event } from './view';

test('what others cost a seat is said, and what they cost others is not', () => {
  const events: Event[] = [
    { kind: 'fox-sent', seat: 1, prey: 0 },
    { kind: 'goose-found', seat: 1, owner: 0, turn: 2 },
    { kind: 'goose-found', seat: 1, owner: 2, turn: 3 },
    { kind: 'grab-ended', seat: 1, geese: 2, stopped: true },
    { kind: 'fox-sent', seat: 2, prey: 0 },
    { kind: 'goose-found', seat: 2, owner: 0, turn: 4 },
    { kind: 'fox-caught', seat: 2, owner: 0, turn: 5 }, // what a dog ends takes nothing
  ];
  const log = [{ ply: 2, seat: 1, action: '', says: [], events }];
  expect(lossesOf(log, 0, ['Mia', 'Rufus', 'Hazel'])).toEqual(['Rufus grabbed 1 goose of yours']);
});
