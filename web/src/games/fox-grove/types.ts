/** What `view.table` holds for Fox Grove, as laid out by the game's words. */

export const COLOURS = ['blue', 'purple', 'orange', 'yellow'] as const;
export const KINDS = ['wood', 'nut', 'maple'] as const;
export const HOUSES = ['tree', 'mushroom', 'leaf'] as const;
export const OWLS = ['draw two', 'pick two', 'discount', 'switch', 'double', 'convert'] as const;

export type Colour = (typeof COLOURS)[number];
export type Kind = (typeof KINDS)[number];
export type House = (typeof HOUSES)[number];
export type Owl = (typeof OWLS)[number];

/** "blue 4". */
export type CardName = string;

/** A price, with units of any kind. */
export type Units = Record<Kind, number> & { any: number };
export type Stock = Record<Kind, number>;

export type Phase =
  | 'left'
  | 'right'
  | 'under'
  | 'draw'
  | 'bury'
  | 'play'
  | 'take'
  | 'reward'
  | 'gain'
  | 'thirteen'
  | 'deliver'
  | 'switch'
  | 'discount'
  | 'berries'
  | 'wood'
  | 'nut'
  | 'bonus'
  | 'keep'
  | 'over';

export interface Played {
  seat: number | 'frank';
  card: CardName;
}

export interface Trick {
  number: number;
  of: number;
  leader: number;
  led: Colour | null;
  best: CardName | null;
  winner: number | null;
  picks: number;
  picked_two: boolean;
  rewarding: CardName | null;
  resources_of_choice: number;
  cards: Played[];
  discarded: Played[];
}

/** A payment being made; only `thirteen` is there while its house is being chosen. */
export interface Advance {
  thirteen: boolean;
  house?: House;
  level?: number;
  price?: Units;
  dropped?: number;
  switched?: boolean
  berries?: number | null;
  wood?: number | null;
}

export interface Level {
  level: number;
  cost: Units;
  bonus: boolean;
  points: number;
}

export interface HouseTable {
  name: House;
  side: 'a' | 'b';
  levels: Level[];
}

export interface Passed {
  card: CardName;
  to: number | 'pile';
}

export interface Seat {
  hand_size: number;
  hand: CardName[] | null;
  played: CardName[];
  voids: Colour[];
  passed: Passed[];
  buried: CardName[] | null;
  buried_size: number;
  resources: Stock;
  levels: Record<House, number>;
  berries: number;
  berry_points: number[] | null;
  berries_spent: number;
  spent_points: number[] | null;
  berry_history: ('taken' | 'spent')[];
  owls: { owl: Owl; active: boolean }[];
  points: number;
}

export interface Table {
  phase: Phase;
  round: number;
  rounds: number;
  first: number;
  trick: Trick;
  advance: Advance | null;
  pile: number;
  discard_pile: CardName[];
  supply: number;
  houses: HouseTable[];
  track: number[];
  rewards: Record<CardName, string>;
  seats: Seat[];
  frank: CardName[] | null;
}
