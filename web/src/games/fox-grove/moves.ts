/** From legal actions to what can be touched, and what can be told from them. */
import {
  KINDS,
  type Advance,
  type CardName,
  type Entry,
  type Facts,
  type House,
  type Kind,
  type LegalAction,
  type Owl,
  type Phase,
  type Played,
  type Stock,
  type Units,
} from './view';

/** A legal action with the facts of its kind. */
export type Offer<K extends Facts['kind']> = LegalAction & { facts: Extract<Facts, { kind: K }> };

/** Everything on offer, ready for the parts of the board to look themselves up. */
export interface Offers {
  /** Cards of the hand: to pass, bury or play. */
  hand: Map<CardName, LegalAction>;
  /** Cards of the trick. */
  trick: Map<CardName, LegalAction>;
  houses: Map<House, Offer<'climb'>>;
  stop: LegalAction | null;
  /** Owls that answer the question by being used, or by being left unused. */
  uses: Map<Owl, LegalAction>;
  saves: Map<Owl, LegalAction>;
  /** A card's resources as printed, twice, or of another kind. */
  resources: Offer<'take-resources'>[];
  gains: Map<Kind, LegalAction>;
  payments: Offer<'pay'>[];
  keeps: Offer<'keep'>[];
  berry: LegalAction | null;
  /** Owls that wake, and owls that come new. */
  wakes: Map<Owl, LegalAction>;
  wakesAll: LegalAction | null;
  news: Map<Owl, LegalAction>;
}

/** Sorts the legal actions by the part of the board that offers them. */
export function offersOf(legal: readonly LegalAction[]): Offers {
  const offers: Offers = {
    hand: new Map(),
    trick: new Map(),
    houses: new Map(),
    stop: null,
    uses: new Map(),
    saves: new Map(),
    resources: [],
    gains: new Map(),
    payments: [],
    keeps: [],
    berry: null,
    wakes: new Map(),
    wakesAll: null,
    news: new Map(),
  };
  for (const action of legal) {
    const { facts } = action;
    switch (facts.kind) {
      case 'pass-on':
      case 'put-under':
      case 'play-card':
        offers.hand.set(facts.card, action);
        break;
      case 'take-reward':
        offers.trick.set(facts.card, action);
        break;
      case 'climb':
        offers.houses.set(facts.house, action as Offer<'climb'>);
        break;
      case 'stop-advancing':
        offers.stop = action;
        break;
      case 'use-owl':
        offers.uses.set(facts.owl, action);
        break;
      case 'save-owl':
        offers.saves.set(facts.owl, action);
        break;
      case 'take-resources':
        offers.resources.push(action as Offer<'take-resources'>);
        if (facts.owl === 'double') offers.uses.set('double', action);
        break;
      case 'gain':
        offers.gains.set(facts.resource, action);
        break;
      case 'pay':
        offers.payments.push(action as Offer<'pay'>);
        break;
      case 'keep':
        offers.keeps.push(action as Offer<'keep'>);
        break;
      case 'take-berry':
        offers.berry = action;
        break;
      case 'wake-owls':
        if (facts.every) offers.wakesAll = action;
        else for (const owl of facts.owls) offers.wakes.set(owl, action);
        break;
      case 'new-owl':
        offers.news.set(facts.owl, action);
    }
  }
  return offers;
}

/** What pressing an owl's tile does now, if anything: use it, or wake it. */
export function owlOffer(offers: Offers, owl: Owl, asleep: readonly Owl[]): LegalAction | null {
  const offer = offers.uses.get(owl) ?? offers.wakes.get(owl);
  if (offer) return offer;
  // A single sleeping owl is woken by the move that wakes all.
  return asleep.length === 1 && asleep[0] === owl ? offers.wakesAll : null;
}

/** How many units are still to be paid when `advance` is as far as it says. */
export function stillToPay(advance: Advance): number {
  const { price, dropped = 0, berries, wood } = advance;
  if (!price) return 0;
  const due = price.wood + price.nut + price.maple + price.any;
  return Math.max(due - dropped - (berries ?? 0) - (wood ?? 0), 0);
}

export const PAYING: readonly Phase[] = ['switch', 'discount', 'berries', 'wood', 'nut'];

/**
 * The plain answer to a question of a payment: no owl and no berry that need not go, and of the
 * rest whatever leaves the stock most even.
 */
export function plainAnswer(offers: Offers, advance: Advance, stock: Stock): LegalAction | null {
  const { saves, uses, payments } = offers;
  for (const owl of ['switch', 'discount'] as const) {
    const answer = saves.get(owl) ?? uses.get(owl);
    if (answer) return answer;
  }
  const first = payments[0];
  if (!first) return null;
  const { what } = first.facts;
  const rest = stillToPay(advance);
  const cost = ({ facts: { count } }: Offer<'pay'>): number => {
    if (what === 'berry') return count;
    return what === 'wood'
      ? Math.abs(2 * (stock.wood - count) - (stock.nut + stock.maple - (rest - count)))
      : Math.abs(stock.nut - count - (stock.maple - (rest - count)));
  };
  return payments.reduce((best, payment) => (cost(payment) < cost(best) ? payment : best));
}

/**
 * What the plain answers take in the end of a price that the stock covers without owls and berries;
 * null where it does not.
 */
export function plainPayment(cost: Units, stock: Stock): Stock | null {
  const least = { wood: cost.wood ?? 0, nut: cost.nut ?? 0, maple: cost.maple ?? 0 };
  const total = least.wood + least.nut + least.maple + (cost.any ?? 0);
  const ways: (Stock & { uneven: number; rest: number })[] = [];
  for (let wood = least.wood; wood <= stock.wood; wood++) {
    for (let nut = least.nut; nut <= stock.nut; nut++) {
      const maple = total - wood - nut;
      if (maple < least.maple || maple > stock.maple) continue;
      const uneven = Math.abs(2 * (stock.wood - wood) - (stock.nut + stock.maple - nut - maple));
      ways.push({ wood, nut, maple, uneven, rest: Math.abs(stock.nut - nut - (stock.maple - maple)) });
    }
  }
  // Wood is asked about first, so of equal ways the one with the least wood is taken.
  ways.sort((one, other) => one.uneven - other.uneven || one.wood - other.wood || one.rest - other.rest);
  return ways[0] ? { wood: ways[0].wood, nut: ways[0].nut, maple: ways[0].maple } : null;
}

/** The move that keeps exactly these resources, if there is one. */
export function keepOf(offers: Offers, chosen: Stock): LegalAction | null {
  return offers.keeps.find(({ facts }) => KINDS.every((kind) => facts.units[kind] === chosen[kind])) ?? null;
}

/** Whether some move still keeps at least what is chosen. */
export function canKeep(offers: Offers, chosen: Stock): boolean {
  return offers.keeps.some(({ facts }) => KINDS.every((kind) => facts.units[kind] >= chosen[kind]));
}

/** Whether the present question is about the houses rather than the trick. */
export function isDelivery(phase: Phase, advance: Advance | null): boolean {
  return advance !== null || ['deliver', 'bonus', 'keep'].includes(phase);
}

/** A trick that is over. */
export interface LastTrick {
  cards: CardName[];
  /** The card that won. */
  best: CardName;
}

/** Finds the last finished trick in the log, which may begin in the middle of it. */
export function lastTrick(log: readonly Entry[], before: readonly Played[] = []): LastTrick | null {
  let cards = before.map(({ card }) => card);
  let last: LastTrick | null = null;
  for (const event of log.flatMap(({ events }) => events)) {
    if (event.kind === 'card-played') cards.push(event.card);
    if (event.kind !== 'trick-won') continue;
    last = { cards: [...new Set(cards)], best: event.card };
    cards = [];
  }
  return last;
}
