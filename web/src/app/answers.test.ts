import { expect, it } from 'vitest';
import type { TableInfo } from '../api/types';
import { isAlone, leastWait } from './answers.svelte';

const table = (...seats: object[]): TableInfo => ({ pace: 'brisk', seats }) as TableInfo;
const me = { mine: true, kind: 'person', resigned: false };
const bot = { mine: false, kind: 'bot', resigned: false };

it('is alone among bots, and not with people, open seats or those who resigned', () => {
  expect(isAlone(table(me, bot, me))).toBe(true);
  expect(isAlone(table(me, { ...bot, kind: 'person' }))).toBe(false);
  expect(isAlone(table(me, { ...bot, kind: 'open' }))).toBe(false);
  expect(isAlone(table(me, { ...bot, resigned: true }))).toBe(false);
});

it('waits as long as bots do when alone, and an unforeseeable time among people', () => {
  expect(leastWait(table(me, bot))).toBe(400);
  const together = table(me, { ...bot, kind: 'person' });
  expect(leastWait(together, () => 0)).toBe(800);
  expect(leastWait(together, () => 0.5)).toBe(1200);
});
