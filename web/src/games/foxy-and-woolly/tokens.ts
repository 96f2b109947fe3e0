/** What the tokens are called and what they do, in the numbers printed on this table's set. */
import type { ScoringToken, Table, TokenName } from './types';

export const MOVERS = ['left-right', 'up-down', 'rising', 'falling'];

export const isWolf = (token: TokenName): boolean => token.startsWith('wolf');

/** What stands after "wolf": a slot's number or a row's name. */
export const prey = (token: TokenName): string => token.replace('wolf ', '');

export const isScoring = (token: TokenName): token is ScoringToken =>
  ['flock', 'wages', 'trio', 'guard', 'pair'].includes(token);

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

const things = (sheep: number, cubes: number): string =>
  [sheep && counted(sheep, 'sheep', 'sheep'), cubes && counted(cubes, 'cube')].filter(Boolean).join(' and ');

export const ROW_NAMES: Record<string, string> = { top: 'top', mid: 'middle', low: 'bottom' };

/** Names a token as people do: wolf 5, bottom-row wolf, gun. */
export function nameOf(token: TokenName): string {
  const row = isWolf(token) ? ROW_NAMES[prey(token)] : undefined;
  return row ? `${row}-row wolf` : token;
}

/** Says what a token does. */
export function explain(token: TokenName, table: Table): string {
  if (isWolf(token)) {
    return Number(prey(token))
      ? `eats the sheep in slot ${prey(token)} of whoever takes it`
      : `waits beside the ${ROW_NAMES[prey(token)]} row of whoever takes it, and eats a sheep there at the end`;
  }
  if (MOVERS.includes(token)) {
    return `moves one sheep one step ${(table.arrows[token] ?? []).join(' or ')} into an empty slot`;
  }
  if (token === 'gun') return 'sends a numbered wolf that you take to the slot three lower';
  if (token === 'steal') return 'while a wolf is on offer, take two cubes from the field and pay nothing';
  if (!isScoring(token)) return '';
  const { points, sheep = 0, cubes = 0 } = table.values[token];
  const worth = counted(points, 'point');
  if (token === 'flock') return `at the end ${worth} for every sheep alive`;
  if (token === 'wages') return `at the end ${worth} for every ${counted(cubes, 'cube')} laid on it`;
  return `at the end ${worth} for ${things(sheep, cubes)} laid on it, once`;
}
