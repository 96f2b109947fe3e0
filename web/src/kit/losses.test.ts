import { expect, test } from 'vitest';
import { fixtures } from '../gallery/fixtures';
import { lostBy } from './board';

test('what was lost is told until one has played again', () => {
  const told = Object.entries(fixtures).flatMap(([game, list]) =>
    list.flatMap(({ view: { names }, log }) => log.map(({ seat }) => ({ game, names, log, seat }))),
  );
  const found = told.find(({ game, names, log, seat }) => lostBy(game, log, seat, names).length)!;
  const { game, names, log, seat } = found;
  expect(lostBy(game, [...log, { ...log.at(-1)!, seat, events: [] }], seat, names)).toEqual([]);
  expect(lostBy(game, log, null, names)).toEqual([]);
  expect(lostBy('none', log, seat, names)).toEqual([]);
});
