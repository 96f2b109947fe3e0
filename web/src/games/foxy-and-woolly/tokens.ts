/** What the tokens are called and what they do, in the numbers printed on this table's set. */
import { counted } from '../../kit/words';
import { PREY, ROW_NAMES, type Mover, type RowName, type Scoring, type Table, type Token, type Wolf } from './view';

const MOVERS: readonly Token[] = ['left-right', 'up-down', 'rising', 'falling'] satisfies Mover[];
const SCORING: readonly Token[] = ['flock', 'wages', 'trio', 'guard', 'pair'] satisfies Scoring[];

export const isWolf = (token: Token): token is Wolf => token in PREY;
export const isMover = (token: Token): token is Mover => MOVERS.includes(token);
export const isScoring = (token: Token): token is Scoring => SCORING.includes(token);

export const rowWolf = (row: RowName): Wolf => `wolf ${row}`;

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);


const things = (sheep: number, cubes: number): string =>
  [sheep && counted(sheep, 'sheep', 'sheep'), cubes && counted(cubes, 'cube')].filter(Boolean).join(' and ');

/** Names a token as people do: wolf 5, bottom-row wolf, gun. */
export function nameOf(token: Token): string {
  const prey = isWolf(token) ? PREY[token] : 0;
  return typeof prey === 'string' ? `${ROW_NAMES[prey]}-row wolf` : token;
}

/** What a scoring token takes and brings, as printed. */
export function valueOf(token: Scoring, table: Table): { sheep: number; cubes: number; points: number } {
  return { sheep: 0, cubes: 0, ...table.values[token] };
}

/** Says what a token does. */
export function explain(token: Token, table: Table): string {
  if (isWolf(token)) {
    const prey = PREY[token];
    return typeof prey === 'number'
      ? `eats the sheep in slot ${prey} of whoever takes it`
      : `waits beside the ${ROW_NAMES[prey]} row of whoever takes it, and eats a sheep there at the end`;
  }
  if (isMover(token)) return `moves one sheep one step ${table.arrows[token].join(' or ')} into an empty slot`;
  if (token === 'gun') return 'sends a numbered wolf that you take to the slot three lower';
  if (token === 'steal') return 'while a wolf is on offer, take two cubes from the field and pay nothing';
  const { points, sheep, cubes } = valueOf(token, table);
  const worth = counted(points, 'point');
  if (token === 'flock') return `at the end ${worth} for every sheep alive`;
  if (token === 'wages') return `at the end ${worth} for every ${counted(cubes, 'cube')} laid on it`;
  return `at the end ${worth} for ${things(sheep, cubes)} laid on it, once`;
}
