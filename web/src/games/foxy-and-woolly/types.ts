/** What `view.table` holds in Foxy & Woolly; written by the game's words.py. */

/** A token of the line: `wolf 1` … `wolf 9`, `wolf top`, or a special's name. */
export type TokenName = string;

export type RowName = 'top' | 'mid' | 'low';

export type ScoringToken = 'flock' | 'wages' | 'trio' | 'guard' | 'pair';

export interface Seat {
  cubes: number;
  /** Numbers of the slots that have a sheep. */
  sheep: number[];
  tokens: TokenName[];
  /** Tokens that moved a sheep and lie where it stood. */
  used: { token: TokenName; slot: number }[];
  row_wolves: RowName[];
  passed: boolean;
  score: number;
}

/** How a seat's points come about in the final count. */
export interface Count {
  moves: { token: TokenName; from: number; to: number }[];
  sheep: { slot: number; does: 'alone' | 'watched' | 'trio' | 'guard' | 'pair'; points: number }[];
  tokens: { token: ScoringToken; sheep: number[]; cubes: number; points: number }[];
  free: { cubes: number; points: number };
  surviving: number;
  score: number;
}

export interface Value {
  points: number;
  sheep?: number;
  cubes?: number;
}

export interface Table {
  phase: 'wolf' | 'auction' | 'gun' | 'loss' | 'order' | 'attack' | 'over';
  farm: { rows: Record<RowName, number[]>; wolf_side: 'left' | 'right' };
  /** The arrows on each kind of token that moves sheep. */
  arrows: Record<TokenName, string[]>;
  values: Record<ScoringToken | 'free', Value>;
  line: TokenName[];
  at: number;
  offer: TokenName | null;
  starter: number;
  field: number;
  auction: { high: number | null; bidder: number | null } | null;
  danger: { seat: number; wolf: string; slot: number | null } | null;
  out: TokenName[];
  seats: Seat[];
  result: Count[] | null;
}
