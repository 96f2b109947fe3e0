/** The one place where The Slyest Fox's notation is read: from legal actions to what can be touched. */

import type { LegalAction } from '../../kit/board';
import { type Deck, type Kind, type Type } from './types';

export type Move =
  | { does: 'pass' | 'ready' | 'care' | 'character' }
  | { does: 'draw'; deck: Deck }
  | { does: 'challenge'; seat: number }
  | { does: 'trade'; give: Kind; take: Kind }
  | { does: 'attack'; seat: number; card: Kind; type: Type }
  | { does: 'play' | 'weasel' | 'discard'; card: Kind };

/** Reads an action's notation; what it does not know is null. */
export function parse(notation: string): Move | null {
  if (notation === 'pass' || notation === 'ready') return { does: notation };
  if (notation === "don't care") return { does: 'care' };
  if (notation === 'play character') return { does: 'character' };
  const words = notation.split(' ');
  switch (words[0]) {
    case 'draw':
      return { does: 'draw', deck: words[1] as Deck };
    case 'challenge':
      return { does: 'challenge', seat: Number(words[1]) };
    case 'trade':
      return { does: 'trade', give: words[1] as Kind, take: words[3] as Kind };
    case 'attack': {
      const seat = Number(words[1]);
      const card = words[3]!;
      if (words[4] !== 'as') return { does: 'attack', seat, card: card as Kind, type: card as Type };
      return { does: 'attack', seat, card: `${card}-attack` as Kind, type: words[5] as Type };
    }
    case 'weasel':
      return { does: 'weasel', card: words[2] as Kind };
    case 'play':
    case 'discard':
      return { does: words[0], card: words[1] as Kind };
  }
  return null;
}

export interface AttackMove {
  seat: number;
  card: Kind;
  type: Type;
  action: LegalAction;
}

export interface TradeMove {
  give: Kind;
  take: Kind;
  action: LegalAction;
}

export interface Moves {
  pass: LegalAction | null; // pass or ready: do nothing more
  character: LegalAction | null;
  decks: Partial<Record<Deck, LegalAction>>;
  hand: Partial<Record<Kind, LegalAction>>; // one card of the hand does it, a weasel coming along where needed
  weasels: Set<Kind>; // the cards of `hand` that take a weasel along
  challenges: Map<number, LegalAction>;
  trades: TradeMove[];
  attacks: AttackMove[];
}

/** Sorts legal actions by the control that plays them. */
export function movesOf(legal: readonly LegalAction[]): Moves {
  const moves: Moves = {
    pass: null,
    character: null,
    decks: {},
    hand: {},
    weasels: new Set(),
    challenges: new Map(),
    trades: [],
    attacks: [],
  };
  for (const action of legal) {
    const move = parse(action.notation);
    switch (move?.does) {
      case 'pass':
      case 'ready':
        moves.pass = action;
        break;
      case 'character':
        moves.character = action;
        break;
      case 'care':
        moves.hand['dont-care'] = action;
        break;
      case 'draw':
        moves.decks[move.deck] = action;
        break;
      case 'challenge':
        moves.challenges.set(move.seat, action);
        break;
      case 'trade':
        moves.trades.push({ give: move.give, take: move.take, action });
        break;
      case 'attack':
        moves.attacks.push({ seat: move.seat, card: move.card, type: move.type, action });
        break;
      case 'weasel':
        moves.weasels.add(move.card);
        moves.hand[move.card] = action;
        break;
      case 'play':
      case 'discard':
        moves.hand[move.card] = action;
        break;
    }
  }
  return moves;
}

/** What somebody has picked, to be asked what it is for. */
export interface Pick {
  card?: Kind;
  seat?: number;
}

export interface Offer {
  action: LegalAction;
  does: 'play' | 'challenge' | 'trade' | 'attack';
  card: Kind | null; // what is played, or what a trade takes
  weasel?: boolean; // a weasel comes along
  seat?: number;
  type?: Type;
}

/** Lists what can be done with what is picked. */
export function offersFor(moves: Moves, { card, seat }: Pick): Offer[] {
  const offers: Offer[] = [];
  if (card === 'weasel') {
    for (const other of moves.weasels) {
      offers.push({ action: moves.hand[other]!, does: 'play', card: other, weasel: true });
    }
  }
  if (card && moves.hand[card]) {
    const weasel = moves.weasels.has(card);
    offers.push({ action: moves.hand[card], does: 'play', card, weasel });
  }
  for (const attack of moves.attacks) {
    const fits = (card ?? attack.card) === attack.card && (seat ?? attack.seat) === attack.seat;
    if (fits && (card || seat !== undefined)) offers.push({ does: 'attack', ...attack });
  }
  for (const trade of moves.trades) {
    if (trade.give === card) offers.push({ action: trade.action, does: 'trade', card: trade.take });
  }
  const challenge = seat === undefined ? undefined : moves.challenges.get(seat);
  if (challenge && !card) offers.push({ action: challenge, does: 'challenge', card: null, seat });
  return offers;
}
