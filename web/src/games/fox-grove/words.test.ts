import { expect, test } from 'vitest';
import { counted, nameOf } from './words';

test('one of a thing is not many', () => {
  expect([1, 2].map((n) => `${n} ${nameOf('nut', n)}`)).toEqual(['1 nut', '2 nuts']);
  expect([1, 2].map((n) => `${n} ${nameOf('berry', n)}`)).toEqual(['1 blackberry', '2 blackberries']);
  expect([0, 1, 2].map((n) => counted(n, 'point'))).toEqual(['0 points', '1 point', '2 points']);
});
