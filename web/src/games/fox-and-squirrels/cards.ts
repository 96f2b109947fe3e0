import type { CardName } from './view';

export type Suit = 'c' | 'd' | 'h' | 's';

export const SUIT_NAMES: Record<Suit, string> = {
  c: 'clubs',
  d: 'diamonds',
  h: 'hearts',
  s: 'spades',
};

const RANKS = ['a', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'j', 'q', 'k'];
const SUITS = ['c', 'd', 'h', 's'];
const RANK_NAMES: Record<string, string> = { a: 'ace', j: 'jack', q: 'queen', k: 'king' };

export const rankOf = (card: CardName): string => card.slice(0, -1);
export const suitOf = (card: CardName): Suit => card.slice(-1) as Suit;

/** What stands in a card's corner: A, 10, K. */
export const indexOf = (card: CardName): string => rankOf(card).toUpperCase();

/** A card's full name, for people who hear it: nine of hearts. */
export function fullName(card: CardName): string {
  if (card === 'fox') return 'fox';
  const rank = rankOf(card);
  return `${RANK_NAMES[rank] ?? rank} of ${SUIT_NAMES[suitOf(card)]}`;
}

const number = (card: CardName): number => RANKS.indexOf(rankOf(card));
const suit = (card: CardName): number => SUITS.indexOf(suitOf(card));

export const byRank = (a: CardName, b: CardName): number => number(a) - number(b) || suit(a) - suit(b);

/** By suit and then rank, with black and red by turns as most people hold them. */
export function bySuit(a: CardName, b: CardName): number {
  const place = (card: CardName): number => 'cdsh'.indexOf(suitOf(card));
  return place(a) - place(b) || number(a) - number(b);
}
