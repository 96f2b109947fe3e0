/** The legal actions of a view, by what a player points at. */
import type { CardName, LegalAction } from './view';

export interface Meld {
  kind: 'set' | 'run';
  cards: CardName[];
  action: LegalAction;
}

export interface Claim {
  pile: number;
  card: CardName;
  /** Of a run; null for a set. */
  end: 'low' | 'high' | null;
  action: LegalAction;
}

export interface Moves {
  draw?: LegalAction;
  take?: LegalAction;
  plan?: LegalAction;
  melds: Meld[];
  claims: Claim[];
  discards: Map<CardName, LegalAction>;
}

export function movesOf(legal: readonly LegalAction[]): Moves {
  const moves: Moves = { melds: [], claims: [], discards: new Map() };
  for (const action of legal) {
    const { facts } = action;
    switch (facts.kind) {
      case 'draw':
      case 'take':
      case 'plan':
        moves[facts.kind] = action;
        break;
      case 'lay-set':
        moves.melds.push({ kind: 'set', cards: facts.cards, action });
        break;
      case 'lay-run':
        moves.melds.push({ kind: 'run', cards: facts.cards, action });
        break;
      case 'claim':
        moves.claims.push({ pile: facts.pile, card: facts.card, end: facts.end, action });
        break;
      case 'discard':
        moves.discards.set(facts.card, action);
    }
  }
  return moves;
}

/** Tells whether `some` are all among `all`, equal cards counted. */
function within(some: CardName[], all: CardName[]): boolean {
  const left = [...all];
  return some.every((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** The meld that is made of exactly these cards. */
export function meldOf(moves: Moves, cards: CardName[]): Meld | undefined {
  return moves.melds.find((meld) => meld.cards.length === cards.length && within(cards, meld.cards));
}

/** Tells whether a card goes together with those chosen: into a meld, or alone onto a pile. */
export function goesWith(moves: Moves, chosen: CardName[], card: CardName): boolean {
  const cards = [...chosen, card];
  if (moves.melds.some((meld) => within(cards, meld.cards))) return true;
  if (chosen.length > 0) return false;
  return moves.discards.has(card) || moves.claims.some((claim) => claim.card === card);
}

/** Lists the moves that a card of the hand is part of. */
export function actionsWith(moves: Moves, card: CardName): (LegalAction | undefined)[] {
  const melds = moves.melds.filter((meld) => meld.cards.includes(card));
  const claims = moves.claims.filter((claim) => claim.card === card);
  return [...melds.map((meld) => meld.action), ...claims.map((claim) => claim.action), moves.discards.get(card)];
}
