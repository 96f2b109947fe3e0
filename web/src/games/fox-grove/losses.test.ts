import { expect, test } from 'vitest';
import lossesOf from './losses';
import type { Event } from './view';

test('what others cost a seat is said, and what they cost others is not', () => {
  const events: Event[] = [
    { kind: 'bonus-lost', seat: 0 },
    { kind: 'resources-kept', seat: 0, kept: { wood: 3, nut: 0, maple: 0 }, returned: { wood: 1, nut: 0, maple: 1 } },
    { kind: 'resources-kept', seat: 1, kept: { wood: 3, nut: 0, maple: 0 }, returned: { wood: 1, nut: 0, maple: 0 } },
  ];
  const log = [{ ply: 2, seat: 1, action: '', says: [], events }];
  expect(lossesOf(log, 0, ['Mia', 'Rufus', 'Hazel'])).toEqual(['Your bonus brought nothing', 'You returned 2 resources']);
});
