import { expect, test } from 'vitest';
import lossesOf from './losses';
import type { Event } from './view';

test('what others cost a seat is said, and what they cost others is not', () => {
  const events: Event[] = [
    { kind: 'pile-claimed', seat: 1, owner: 0, pile: 1, meld: 'run', cards: [], card: '9h', end: 'high', acorns: 1 },
    { kind: 'pile-claimed', seat: 1, owner: 2, pile: 2, meld: 'set', cards: [], card: '9h', end: null, acorns: 1 },
  ];
  const log = [{ ply: 2, seat: 1, action: '', says: [], events }];
  expect(lossesOf(log, 0, ['Mia', 'Rufus', 'Hazel'])).toEqual(['Rufus claimed your run']);
});
