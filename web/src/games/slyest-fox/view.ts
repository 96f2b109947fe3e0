/** The Slyest Fox as the server tells of it, by shorter names. */
import type { BoardProps } from '../../kit/board';
import type { LegalAction as Legal, LogEntry, Schemas } from '../../api/types';

export type Table = Schemas['SlyestFoxTable'];
export type Place = Schemas['SlyestFoxPlace'];
export type Cards = Schemas['SlyestFoxCards'];
export type Phase = Table['phase'];
export type Kind = keyof Cards;
export type Type = Schemas['SlyestFoxAttack']['type'];
export type Deck = Schemas['SlyestFoxDraw']['deck'];
export type Character = NonNullable<Place['character']>;
export type Attack = Schemas['SlyestFoxAttack'];
export type Trade = Schemas['SlyestFoxTrade'];
export type AttackEnded = Schemas['SlyestFoxAttackEnded'];
export type LegalAction = Legal<Schemas['SlyestFoxAction']>;
export type Event = Schemas['SlyestFoxEvent'];
export type Entry = LogEntry<Event>;
export type Props = BoardProps<Table, Schemas['SlyestFoxAction'], Event>;

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

/** Returns the deck that a kind belongs to. */
export function deckOf(kind: Kind): Deck {
  return ATTACKS.includes(kind) ? 'attack' : 'defence';
}

/** Lists the cards of a count one by one, sorted. */
export function spread(cards: Cards): Kind[] {
  return KINDS.flatMap((kind) => Array<Kind>(cards[kind] ?? 0).fill(kind));
}
