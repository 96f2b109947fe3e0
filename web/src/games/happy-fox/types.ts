/** What the server lays out for Happy Fox: `view.table`. */

export type Kind = 'goose' | 'fox' | 'dog';

export type Counts = Record<Kind, number>;

export interface RowCard {
  turn: number;
  card: Kind | null; // null: face down, and not the viewer's own
  up: boolean; // turned up in the grab that is going on
}

export interface Place {
  hand_size: number;
  hand: Counts | null;
  pile: number;
  row: RowCard[];
  won: Counts;
  won_by_set: Counts[];
  score: number;
}

export interface Grab {
  by: number;
  victim: number;
  geese: { seat: number; turn: number }[];
}

export interface Table {
  phase: 'play' | 'grab' | 'over';
  turn: number;
  turns: number;
  starter: number;
  set: Counts;
  removed: number;
  hand_limit: number;
  seats: Place[];
  grab: Grab | null;
}

/** The order in which kinds are sorted and counted. */
export const KINDS: readonly Kind[] = ['goose', 'fox', 'dog'];

export const PLURALS: Record<Kind, string> = { goose: 'geese', fox: 'foxes', dog: 'dogs' };

/** Counts with the right word: "1 goose", "3 geese". */
export function counted(n: number, kind: Kind): string {
  return `${n} ${n === 1 ? kind : PLURALS[kind]}`;
}
