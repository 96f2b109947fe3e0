/** What the server lays out for The Slyest Fox: `view.table`. */

export type Deck = 'attack' | 'defence';
export type Type = 'gossip' | 'trap';

export type Kind =
  | 'gossip'
  | 'trap'
  | 'universal-attack'
  | 'weasel'
  | 'sneaky-attack'
  | 'enough'
  | 'facts'
  | 'caution'
  | 'universal-defence'
  | 'dont-care'
  | 'sneaky-defence'
  | 'stop-it';

export type Character = 'gossip fox' | 'schemer' | 'master of traps' | 'inventive fox';

export type Cards = Partial<Record<Kind, number>>; // kinds that are not there are left out

/** What is sure of a hand: kinds, and beyond these so many cards of a deck. */
export interface Sure {
  cards: Cards;
  attack: number;
  defence: number;
}

export interface Place {
  lives: number;
  gossiped: number;
  trapped: number;
  eliminated: boolean;
  hand_size: number;
  hand: Cards | null;
  known: Sure | null; // null: the viewer's own seat
  public: Sure;
  keeps_hand: boolean;
  protected: boolean;
  may_not_protect: boolean;
  character: Character | null;
  character_open: boolean;
  character_used: boolean;
  team: Type | null;
  played: Cards;
}

export interface Attack {
  by: number;
  target: number;
  type: Type;
  attacks: number;
  defences: number;
  interfering_stopped: boolean;
  stopped_by: number | null;
}

export type Phase =
  | 'open'
  | 'act'
  | 'defend'
  | 'add'
  | 'shut'
  | 'help'
  | 'answer'
  | 'refill'
  | 'discard'
  | 'over';

export interface Table {
  phase: Phase;
  starter: number;
  on_turn: number;
  duel: boolean;
  least: number;
  most: number;
  quiet_turns: number;
  quiet_limit: number;
  challenged: number[];
  attack: Attack | null;
  decks: Record<Deck, number>;
  discards: Record<Deck, Cards>;
  set: Cards;
  seats: Place[];
}

export const ATTACKS: readonly Kind[] = [
  'gossip',
  'trap',
  'universal-attack',
  'sneaky-attack',
  'weasel',
  'enough',
];

export const DEFENCES: readonly Kind[] = [
  'facts',
  'caution',
  'universal-defence',
  'sneaky-defence',
  'dont-care',
  'stop-it',
];

/** The order in which a hand is sorted. */
export const KINDS: readonly Kind[] = [...ATTACKS, ...DEFENCES];

export const NAMES: Record<Kind, string> = {
  gossip: 'Gossip',
  trap: 'Trap',
  'universal-attack': 'Universal attack',
  weasel: 'Nosey weasel',
  'sneaky-attack': 'Sneaky attack',
  enough: 'Enough is enough',
  facts: 'Facts',
  caution: 'Caution',
  'universal-defence': 'Universal defence',
  'dont-care': 'I don’t care',
  'sneaky-defence': 'Sneaky defence',
  'stop-it': 'Stop it',
};

/** The two cards that a character can stand for (SF-3). */
export const CHARACTER_CARDS: Record<Character, readonly [Type, Kind]> = {
  'gossip fox': ['gossip', 'facts'],
  schemer: ['gossip', 'caution'],
  'master of traps': ['trap', 'caution'],
  'inventive fox': ['trap', 'facts'],
};

/** The deck that a kind belongs to. */
export function deckOf(kind: Kind): Deck {
  return ATTACKS.includes(kind) ? 'attack' : 'defence';
}

/** The cards of a count one by one, sorted. */
export function spread(cards: Cards): Kind[] {
  return KINDS.flatMap((kind) => Array<Kind>(cards[kind] ?? 0).fill(kind));
}
