/**
 * Reads any game's table by the shapes of its values, for a board that knows no game. The terminal reads
 * tables the same way (`foxden.terminal.shapes`); `shapes.json` has the cases that both must agree on.
 *
 * `seats`, a list with one entry a seat, holds what lies before each seat; everything else is shared.
 * `NAME: null` beside `NAME_size: 5` is five cards face down; any other null is left out, except in rows.
 */
export type Part =
  | { kind: 'counter'; name: string; value: number }
  | { kind: 'label'; name: string; text: string }
  /** Shown while it is true. */
  | { kind: 'mark'; name: string }
  /** A null is a card face down. */
  | { kind: 'cards'; name: string; cards: (string | null)[] }
  | { kind: 'counts'; name: string; size: number | null; counts: [string, number][] }
  | { kind: 'numbers'; name: string; numbers: (number | null)[] }
  | { kind: 'group'; name: string; parts: Part[] }
  | { kind: 'rows'; name: string; rows: Row[] }
  /** A field of a row that this viewer may not see, or that holds nothing. */
  | { kind: 'hidden'; name: string }
  | { kind: 'empty'; name: string };

/** An entry of a list. One with a single text, and counters and marks at most, is a card with that `face`. */
export interface Row {
  face?: string | null;
  parts: Part[];
}

export interface Layout {
  shared: Part[];
  /** By seat. */
  places: Part[][];
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';
const orNull = (is: (value: unknown) => boolean) => (value: unknown) => value === null || is(value);

/** Writes a field's name in plain words: hand_size becomes "Hand size". */
export function heading(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Tells what lies before each of so many seats from what all share. */
export function layOut(table: unknown, seats: number): Layout {
  if (!isFields(table)) return { shared: partOf('', table), places: [] };
  const { seats: places, ...shared } = table;
  if (!Array.isArray(places) || places.length !== seats) return { shared: partsOf(table), places: [] };
  return { shared: partsOf(shared), places: places.map((place) => (isFields(place) ? partsOf(place) : partOf('', place))) };
}

function partsOf(fields: Fields, row = false): Part[] {
  return Object.entries(fields).flatMap(([name, value]): Part[] => {
    const size = fields[`${name}_size`];
    const owner = name.endsWith('_size') ? fields[name.slice(0, -5)] : undefined;
    if (isNumber(value) && sized(owner, value)) return []; // told with what it counts
    if (value === null && isNumber(size)) return backs(name, size);
    if (value === null) return row ? [{ kind: 'hidden', name }] : [];
    return partOf(name, value, isNumber(size) && sized(value, size) ? size : null);
  });
}

/** Says whether a size counts just this: cards that are hidden, or so many that are shown. */
function sized(value: unknown, size: number): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === size && value.every(orNull(isText));
  return isCounts(value) && Object.values(value).reduce((sum, n) => sum + n, 0) === size;
}

function isCounts(value: unknown): value is Record<string, number> {
  return isFields(value) && Object.values(value).every(isNumber);
}

function backs(name: string, size: number): Part[] {
  return [size ? { kind: 'cards', name, cards: Array<null>(size).fill(null) } : { kind: 'empty', name }];
}

function partOf(name: string, value: unknown, size: number | null = null): Part[] {
  if (value === false || value === null || value === undefined) return [];
  if (value === true) return [{ kind: 'mark', name }];
  if (isNumber(value)) return [{ kind: 'counter', name, value }];
  if (isText(value)) return [value ? { kind: 'label', name, text: value } : { kind: 'empty', name }];
  if (Array.isArray(value)) return [listOf(name, value)];
  if (!Object.keys(value).length) return [{ kind: 'empty', name }];
  if (isCounts(value)) return [{ kind: 'counts', name, size, counts: Object.entries(value) }];
  const parts = partsOf(value as Fields);
  return parts.length ? [{ kind: 'group', name, parts }] : [];
}

function listOf(name: string, list: unknown[]): Part {
  if (!list.length) return { kind: 'empty', name };
  if (list.every(orNull(isText))) return { kind: 'cards', name, cards: list as (string | null)[] };
  if (list.every(orNull(isNumber))) return { kind: 'numbers', name, numbers: list as (number | null)[] };
  return { kind: 'rows', name, rows: list.map(rowOf) };
}

function rowOf(value: unknown): Row {
  if (!isFields(value)) return { parts: partOf('', value) };
  const parts = partsOf(value, true);
  const faces = parts.filter((part) => part.kind === 'label' || part.kind === 'hidden');
  const rest = parts.filter((part) => part.kind === 'counter' || part.kind === 'mark');
  if (faces.length !== 1 || rest.length !== parts.length - 1) return { parts };
  return { face: faces[0]!.kind === 'label' ? faces[0]!.text : null, parts: rest };
}
