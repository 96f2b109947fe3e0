import { counted } from '../../kit/words';
import { expect, test } from 'vitest';
import { besides, nameOf } from './words';
import type { Climb } from './view';

test('one of a thing is not many', () => {
  expect([1, 2].map((n) => `${n} ${nameOf('nut', n)}`)).toEqual(['1 nut', '2 nuts']);
  expect([1, 2].map((n) => `${n} ${nameOf('berry', n)}`)).toEqual(['1 blackberry', '2 blackberries']);
  expect([0, 1, 2].map((n) => counted(n, 'point'))).toEqual(['0 points', '1 point', '2 points']);
});

test('what a level takes beyond its price is said', () => {
  const climb: Climb = {
    kind: 'climb',
    house: 'tree',
    level: 1,
    cost: { wood: 2, nut: 0, maple: 0, any: 0 },
    less: 0,
    bonus: false,
    points: 1,
    pays: null,
    short: 0,
    ways: [],
  };
  const pays = { wood: 1, nut: 0, maple: 0, berries: 1, owls: [] };
  expect(besides(climb)).toBe('');
  expect(besides({ ...climb, pays })).toBe('You pay 1 wood and 1 blackberry.');
  expect(besides({ ...climb, pays: { ...pays, nut: 2, owls: ['switch', 'discount'] } })).toBe(
    'You pay 1 wood, 2 nuts and 1 blackberry with switch and discount.',
  );
  expect(besides({ ...climb, pays: { ...pays, wood: 0, berries: 0 } })).toBe('You pay nothing.');
  expect(besides({ ...climb, short: 2, ways: ['switch', 'berry'] })).toBe('You are 2 short: use switch or blackberries.');
});
