import { expect, test } from 'vitest';
import lossesOf from './losses';
import type { Event } from './view';

test('what others cost a seat is said, and what they cost others is not', () => {
  const events: Event[] = [
    { kind: 'attack-ended', by: 1, target: 0, type: 'gossip', attacks: 1, defences: 0, result: 'succeeded', lives: 2 },
    { kind: 'attack-ended', by: 1, target: 2, type: 'trap', attacks: 1, defences: 0, result: 'succeeded', lives: 2 },
    { kind: 'attack-ended', by: 1, target: 0, type: 'trap', attacks: 1, defences: 1, result: 'failed', lives: 2 },
    { kind: 'cards-taken', taker: 2, loser: 0, count: 1, cards: ['gossip'] },
    { kind: 'cards-taken', taker: 1, loser: 0, count: 2, cards: null },
    { kind: 'protection-ended', seat: 0 },
    { kind: 'protection-ended', seat: 1 },
  ];
  const log = [{ ply: 2, seat: 1, action: '', says: [], events }];
  expect(lossesOf(log, 0, ['Mia', 'Rufus', 'Hazel'])).toEqual([
    'Rufus’s gossip cost you a life',
    'Hazel took Gossip from you',
    'Rufus took 2 cards from you',
    'You can be attacked again',
  ]);
});
