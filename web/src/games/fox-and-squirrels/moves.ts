/** The legal actions of a view, by what a player points at. The only place that reads notation. */
import type { LegalAction } from '../../kit/board';
import type { CardName } from './types';

export interface Meld {
  kind: 'set' | 'run';
  cards: CardName[];
  action: LegalAction;
}

export interface Claim {
  pile: number;
  card: CardName;
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

export function movesOf(legal: LegalAction[]): Moves {
  const moves: Moves = { melds: [], claims: [], discards: new Map() };
  for (const action of legal) {
    const [verb, ...rest] = action.notation.split(' ');
    switch (verb) {
      case 'draw':
      case 'take':
      case 'plan':
        moves[verb] = action;
        break;
      case 'set':
      case 'run':
        moves.melds.push({ kind: verb, cards: rest, action });
        break;
      case 'claim':
        moves.claims.push({ pile: Number(rest[0]), card: rest[2] ?? '', action });
        break;
      case 'discard':
        moves.discards.set(rest[0] ?? '', action);
        break;
      default:
        throw new Error(`unknown notation: ${action.notation}`);
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
