/** What `view.table` holds in A Game of Fox & Squirrels; written by the game's words.py. */

/** A card as notation writes it: rank and suit (`9h`, `10c`, `qs`, `ad`), or `fox`. */
export type CardName = string;

export type Season = 'spring' | 'summer' | 'autumn';

export interface Pile {
  number: number;
  owner: number;
  kind: 'set' | 'run';
  /** A run from its low end, a set in the order of suits. */
  cards: CardName[];
  /** Every card that would fit, whoever holds it. */
  wants: CardName[];
}

export interface Seat {
  hand_size: number;
  /** Null where the viewer may not see it. */
  hand: CardName[] | null;
  /** Cards that everybody knows to be in the hand. */
  shown: CardName[];
  piles: number[];
  /** Null where all play for one heap. */
  acorns: number | null;
  earned: Record<'sets' | 'runs' | 'claims' | 'bonuses' | 'foxes', number>;
  hid_foxes: number;
  /** Which of the table's dares a fox asked for in the seat's last turn, from 1. */
  dare: number | null;
}

export interface Table {
  phase: 'draw' | 'plan' | 'discard' | 'over';
  round: number;
  season: Season;
  turn: number;
  last_turn: boolean;
  dealer: number;
  bonus: number;
  rewards: Record<'set' | 'run' | 'claim', number>;
  heap: number | null;
  deck: number;
  deck_foxes: number;
  may_be_in_deck: Record<CardName, number>;
  reforms: number;
  reforms_most: number;
  discard: CardName[];
  top: CardName | null;
  piles: Pile[];
  seats: Seat[];
}
