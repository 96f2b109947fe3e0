/** The one place that reads Fox Grove's notation, and what can be told from the moves on offer. */

import type { LegalAction, LogEntry } from '../../kit/board';
import {
  COLOURS,
  HOUSES,
  KINDS,
  OWLS,
  type Advance,
  type CardName,
  type Colour,
  type House,
  type Kind,
  type Owl,
  type Phase,
  type Played,
  type Stock,
  type Units,
} from './types';

export type Move =
  | { verb: 'pass' | 'bury' | 'play' | 'take'; card: CardName }
  | { verb: 'convert'; from: Kind; into: Kind }
  | { verb: 'gain'; kind: Kind }
  | { verb: 'climb'; house: House }
  | { verb: 'pay'; what: 'berry' | 'wood' | 'nut'; count: number }
  | { verb: 'reactivate'; owl: Owl | null }
  | { verb: 'new'; owl: Owl }
  | { verb: 'keep'; units: Stock }
  | { verb: Answer };

/** Answers that are nothing but their own words. */
export type Answer = (typeof ANSWERS)[number];

const ANSWERS = [
  'pick two',
  'no draw',
  'draw two',
  'as printed',
  'double',
  'stop',
  'no switch',
  'switch',
  'no discount',
  'discount',
  'berry',
] as const;

const WRITTEN_KINDS: Record<string, Kind | 'berry' | 'any'> = {
  wood: 'wood',
  nut: 'nut',
  nuts: 'nut',
  maple: 'maple',
  berry: 'berry',
  berries: 'berry',
  'of any kind': 'any',
};

/** Counts the resources in words: "2 wood, 1 nut and 1 of any kind", "1 wood 2 maple". */
export function unitsIn(words: string): Units {
  const units: Units = { wood: 0, nut: 0, maple: 0, any: 0 };
  for (const [, count, name] of words.matchAll(/(\d+) (wood|nuts?|maple|of any kind)/g)) {
    units[WRITTEN_KINDS[name!] as Kind | 'any'] += Number(count);
  }
  return units;
}

/** Reads one notation; throws on what it does not know, so that a new move cannot go unseen. */
export function parse(notation: string): Move {
  if ((ANSWERS as readonly string[]).includes(notation)) return { verb: notation as Answer };
  const space = notation.indexOf(' ');
  const verb = space < 0 ? notation : notation.slice(0, space);
  const rest = space < 0 ? '' : notation.slice(space + 1);
  switch (verb) {
    case 'pass':
    case 'bury':
    case 'play':
    case 'take':
      cardOf(rest);
      return { verb, card: rest };
    case 'convert': {
      const [from, into] = rest.split(' to ');
      return { verb, from: one(KINDS, from), into: one(KINDS, into) };
    }
    case 'gain':
      return { verb, kind: one(KINDS, rest) };
    case 'climb':
      return { verb, house: one(HOUSES, rest) };
    case 'pay': {
      const [count, name] = rest.split(' ');
      const what = WRITTEN_KINDS[name ?? ''];
      if (what === 'berry' || what === 'wood' || what === 'nut') {
        return { verb, what, count: Number(count) };
      }
      break;
    }
    case 'reactivate':
      return { verb, owl: rest ? one(OWLS, rest) : null };
    case 'new':
      return { verb, owl: one(OWLS, rest) };
    case 'keep': {
      const { wood, nut, maple } = unitsIn(rest);
      return { verb, units: { wood, nut, maple } };
    }
  }
  throw new Error(`Fox Grove knows no move ${JSON.stringify(notation)}`);
}

function one<T extends string>(names: readonly T[], name: string | undefined): T {
  const found = names.find((known) => known === name);
  if (found === undefined) throw new Error(`${JSON.stringify(name)} is none of ${names.join(', ')}`);
  return found;
}

/** Takes a card's name apart. */
export function cardOf(name: CardName): { colour: Colour; number: number } {
  const [colour, number] = name.split(' ');
  return { colour: one(COLOURS, colour), number: Number(number) };
}

/** Everything on offer, ready for the parts of the board to look themselves up. */
export interface Offers {
  /** Cards of the hand: to pass, bury or play. */
  hand: Map<CardName, LegalAction>;
  /** Cards of the trick. */
  trick: Map<CardName, LegalAction>;
  houses: Map<House, LegalAction>;
  gains: Map<Kind, LegalAction>;
  converts: { from: Kind; into: Kind; action: LegalAction }[];
  payments: { what: 'berry' | 'wood' | 'nut'; count: number; action: LegalAction }[];
  keeps: { units: Stock; action: LegalAction }[];
  /** Owls that wake, and owls that come new. */
  wakes: Map<Owl, LegalAction>;
  wakesAll: LegalAction | null;
  news: Map<Owl, LegalAction>;
  answers: Map<Answer, LegalAction>;
}

/** Sorts the legal actions by the part of the board that offers them. */
export function offersOf(legal: readonly LegalAction[]): Offers {
  const offers: Offers = {
    hand: new Map(),
    trick: new Map(),
    houses: new Map(),
    gains: new Map(),
    converts: [],
    payments: [],
    keeps: [],
    wakes: new Map(),
    wakesAll: null,
    news: new Map(),
    answers: new Map(),
  }
  for (const action of legal) {
    const move = parse(action.notation);
    switch (move.verb) {
      case 'pass':
      case 'bury':
      case 'play':
        offers.hand.set(move.card, action);
        break;
      case 'take':
        offers.trick.set(move.card, action);
        break;
      case 'climb':
        offers.houses.set(move.house, action);
        break;
      case 'gain':
        offers.gains.set(move.kind, action);
        break;
      case 'convert':
        offers.converts.push({ from: move.from, into: move.into, action });
        break;
      case 'pay':
        offers.payments.push({ what: move.what, count: move.count, action });
        break;
      case 'keep':
        offers.keeps.push({ units: move.units, action });
        break;
      case 'reactivate':
        if (move.owl) offers.wakes.set(move.owl, action);
        else offers.wakesAll = action;
        break;
      case 'new':
        offers.news.set(move.owl, action);
        break;
      default:
        offers.answers.set(move.verb, action);
    }
  }
  return offers;
}

/** Owls that answer the present question by being used. */
const OWL_ANSWERS: readonly (Owl & Answer)[] = [
  'draw two',
  'pick two',
  'double',
  'switch',
  'discount',
];

/** What pressing an owl's tile does now, if anything: use it, or wake it. */
export function owlOffer(offers: Offers, owl: Owl, asleep: readonly Owl[]): LegalAction | null {
  const used = OWL_ANSWERS.find((answer) => answer === owl);
  if (used && offers.answers.has(used)) return offers.answers.get(used)!;
  if (offers.wakes.has(owl)) return offers.wakes.get(owl)!;
  // A single sleeping owl is woken by the move that wakes all.
  if (offers.wakesAll && asleep.length === 1 && asleep[0] === owl) return offers.wakesAll;
  return null;
}

/** What a card gives once one kind on it counts as another. */
export function converted(units: Units, from: Kind, into: Kind): Units {
  return { ...units, [into]: units[into] + units[from], [from]: 0 };
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
  const { answers, payments } = offers;
  for (const [no, yes] of [
    ['no switch', 'switch'],
    ['no discount', 'discount'],
  ] as const) {
    const answer = answers.get(no) ?? answers.get(yes);
    if (answer) return answer;
  }
  const first = payments[0];
  if (!first) return null;
  if (first.what === 'berry') {
    return payments.reduce((least, payment) => (payment.count < least.count ? payment : least))
      .action;
  }
  const rest = stillToPay(advance);
  const unevenness = (count: number) =>
    first.what === 'wood'
      ? Math.abs(2 * (stock.wood - count) - (stock.nut + stock.maple - (rest - count)))
      : Math.abs(stock.nut - count - (stock.maple - (rest - count)));
  return payments.reduce((best, payment) =>
    unevenness(payment.count) < unevenness(best.count) ? payment : best,
  ).action;
}

/** The move that keeps exactly these resources, if there is one. */
export function keepOf(offers: Offers, chosen: Stock): LegalAction | null {
  const found = offers.keeps.find(({ units }) => KINDS.every((kind) => units[kind] === chosen[kind]));
  return found?.action ?? null;
}

/** Whether some move still keeps at least what is chosen. */
export function canKeep(offers: Offers, chosen: Stock): boolean {
  return offers.keeps.some(({ units }) => KINDS.every((kind) => units[kind] >= chosen[kind]));
}

/** Whether the present question is about the houses rather than the trick. */
export function isDelivery(phase: Phase, advance: Advance | null): boolean {
  return advance !== null || phase === 'deliver' || phase === 'bonus';
}

/** A trick that is over. */
export interface LastTrick {
  cards: CardName[];
  /** The card that won. */
  best: CardName;
  says: string;
}

/** Finds the last finished trick in the log, which may begin in the middle of it. */
export function lastTrick(log: readonly LogEntry[], before: readonly Played[] = []): LastTrick | null {
  let cards = before.map(({ card }) => card);
  let last: LastTrick | null = null;
  for (const { action, says } of log) {
    if (action.startsWith('play ')) cards.push(action.slice('play '.length));
    for (const sentence of says) {
      const turned = /^Frank turns up (\w+ \d+)/.exec(sentence);
      if (turned) cards.push(turned[1]!);
      const won = /wins? the trick with (\w+ \d+)/.exec(sentence);
      if (!won) continue;
      last = { cards: [...new Set(cards)], best: won[1]!, says: sentence };
      cards = [];
    }
  }
  return last;
}
