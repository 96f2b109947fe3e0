/** From legal actions to what can be touched. */
import type { Attack, Deck, Kind, LegalAction, Trade, Type } from './view';

export interface Moves {
  pass: LegalAction | null; // pass or ready: do nothing more
  character: LegalAction | null;
  decks: Partial<Record<Deck, LegalAction>>;
  hand: Partial<Record<Kind, LegalAction>>; // one card of the hand does it, a weasel coming along where needed
  weasels: Set<Kind>; // the cards of `hand` that take a weasel along
  challenges: Map<number, LegalAction>;
  trades: (Trade & { action: LegalAction })[];
  attacks: (Attack & { action: LegalAction })[];
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
    const { facts } = action;
    switch (facts.kind) {
      case 'pass':
      case 'ready':
        moves.pass = action;
        break;
      case 'use-character':
        moves.character = action;
        break;
      case 'protect':
        moves.hand['dont-care'] = action;
        break;
      case 'draw':
        moves.decks[facts.deck] = action;
        break;
      case 'challenge':
        moves.challenges.set(facts.seat, action);
        break;
      case 'trade':
        moves.trades.push({ ...facts, action });
        break;
      case 'attack':
        moves.attacks.push({ ...facts, action });
        break;
      case 'play':
        if (facts.weasel) moves.weasels.add(facts.card);
        moves.hand[facts.card] = action;
        break;
      case 'discard':
        moves.hand[facts.card] = action;
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
  for (const { action, target, card: opening, type } of moves.attacks) {
    const fits = (card ?? opening) === opening && (seat ?? target) === target;
    if (fits && (card || seat !== undefined)) {
      offers.push({ action, does: 'attack', card: opening, seat: target, type });
    }
  }
  for (const trade of moves.trades) {
    if (trade.given === card) offers.push({ action: trade.action, does: 'trade', card: trade.taken });
  }
  const challenge = seat === undefined ? undefined : moves.challenges.get(seat);
  if (challenge && !card) offers.push({ action: challenge, does: 'challenge', card: null, seat });
  return offers;
}
