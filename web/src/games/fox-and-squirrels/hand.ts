/** A hand as its owner keeps it: cards with keys that last, in an order of one's own. */
import { byRank, bySuit } from './cards';
import type { CardName } from './view';

export type Order = 'rank' | 'suit' | 'own';

export interface Held {
  key: string;
  card: CardName;
}

let drawn = 0;

/**
 * Brings a hand up to date: what is gone leaves (of two equal cards the one in `leaving`), what is
 * new comes in at the end, and a hand kept by rank or suit is sorted again.
 */
export function keep(held: Held[], cards: CardName[], order: Order, leaving: string[] = []): Held[] {
  const left = [...cards];
  const stays = new Set<string>();
  const first = [...held].sort(
    (a, b) => Number(leaving.includes(a.key)) - Number(leaving.includes(b.key)),
  );
  for (const one of first) {
    const at = left.indexOf(one.card);
    if (at < 0) continue;
    left.splice(at, 1);
    stays.add(one.key);
  }
  const kept = held.filter((one) => stays.has(one.key));
  const come = left.map((card) => ({ key: `${card}-${++drawn}`, card }));
  return arrange([...kept, ...come], order);
}

export function arrange(held: Held[], order: Order): Held[] {
  if (order === 'own') return held;
  const compare = order === 'rank' ? byRank : bySuit;
  return [...held].sort((a, b) => compare(a.card, b.card));
}

/** Moves a card to another place in the hand. */
export function shift(held: Held[], key: string, to: number): Held[] {
  const one = held.find((other) => other.key === key);
  if (!one) return held;
  const rest = held.filter((other) => other.key !== key);
  rest.splice(Math.max(0, Math.min(to, rest.length)), 0, one);
  return rest;
}
