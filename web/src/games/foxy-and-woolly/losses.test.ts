import { expect, test } from 'vitest';
import lossesOf from './losses';
import type { Event } from './view';

test('what others cost a seat is said, and what they cost others is not', () => {
  const events: Event[] = [
    { kind: 'wolf-taken', seat: 0, wolf: 'wolf 4', cubes: 3, slot: 4, row: null, danger: true, forced: true },
    { kind: 'sheep-lost', seat: 0, slot: 4, row: null },
    { kind: 'wolf-taken', seat: 1, wolf: 'wolf 5', cubes: 3, slot: 5, row: null, danger: true, forced: true },
    { kind: 'sheep-lost', seat: 1, slot: 5, row: null },
  ];
  const log = [{ ply: 2, seat: 1, action: '', says: [], events }];
  expect(lossesOf(log, 0, ['Mia', 'Rufus', 'Hazel'])).toEqual(['No cube to chase it: you took the wolf', 'A wolf took your sheep in slot 4']);
});
