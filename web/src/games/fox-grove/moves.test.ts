import { describe, expect, it } from 'vitest';
import { fixtures } from '../../gallery/fixtures';
import { keepOf, lastTrick, offersOf, owlOffer, plainAnswer, plainPayment, stillToPay } from './moves';
import type { Advance, Entry, Facts, LegalAction } from './view';

let id = 0;
const legal = (...offered: Facts[]): LegalAction[] =>
  offered.map((facts) => ({ id: id++, notation: '', says: '', facts }));

describe('offers', () => {
  it('hold every legal action of every fixture', () => {
    for (const { name, view } of fixtures['fox-grove']!) {
      const held = Object.values(offersOf(view.legal)).flatMap((offer) =>
        offer instanceof Map ? [...offer.values()] : Array.isArray(offer) ? offer : offer ? [offer] : [],
      );
      expect(new Set(held), name).toEqual(new Set(view.legal));
    }
  });
});

describe('payments', () => {
  const advance: Advance = {
    thirteen: true,
    house: 'tree',
    level: 3,
    price: { wood: 3, nut: 0, maple: 0, any: 2 },
    dropped: 1,
    switched: false,
    berries: 1,
    wood: null,
  };

  it('count what is left to pay', () => {
    expect(stillToPay(advance)).toBe(3);
    expect(stillToPay({ ...advance, wood: 2 })).toBe(1);
    expect(stillToPay({ thirteen: true })).toBe(0);
  });

  it('save owls and berries, and keep the stock even', () => {
    const stock = { wood: 6, nut: 1, maple: 1 };
    const answer = (now: Advance, has: typeof stock, ...offered: Facts[]) =>
      plainAnswer(offersOf(legal(...offered)), now, has)?.facts;
    const [save, use] = [{ kind: 'save-owl', owl: 'switch' }, { kind: 'use-owl', owl: 'switch' }] as const;
    const pay = (what: 'berry' | 'wood' | 'nut', count: number) => ({ kind: 'pay', what, count }) as const;
    expect(answer(advance, stock, save, use)).toEqual(save);
    expect(answer(advance, stock, use)).toEqual(use);
    expect(answer(advance, stock, pay('berry', 1), pay('berry', 2))).toEqual(pay('berry', 1));
    expect(answer(advance, stock, pay('wood', 2), pay('wood', 3))).toEqual(pay('wood', 3));
    const nuts = { wood: 0, nut: 4, maple: 1 };
    expect(answer({ ...advance, wood: 2 }, nuts, pay('nut', 0), pay('nut', 1))).toEqual(pay('nut', 1));
    expect(answer(advance, stock, { kind: 'stop-advancing', thirteen: false })).toBeUndefined();
  });

  it('come to what is foretold, answer by answer', () => {
    const cost = { wood: 1, nut: 0, maple: 0, any: 2 };
    for (let n = 0; n < 4 ** 3; n += 1) {
      const stock = { wood: n % 4, nut: (n >> 2) % 4, maple: n >> 4 };
      const counts = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
      const ask = (now: Advance, what: 'wood' | 'nut', open: number[]) =>
        plainAnswer(offersOf(legal(...open.map((count): Facts => ({ kind: 'pay', what, count })))), now, stock)?.facts;
      const start: Advance = { ...advance, thirteen: false, price: cost, dropped: 0, berries: 0, wood: null };
      const woods = counts(1, Math.min(3, stock.wood)).filter((wood) => 3 - wood <= stock.nut + stock.maple);
      const wood = ask(start, 'wood', woods);
      if (wood?.kind !== 'pay') {
        expect(plainPayment(cost, stock)).toBeNull();
        continue;
      }
      const rest = 3 - wood.count;
      const nut = ask({ ...start, wood: wood.count }, 'nut', counts(Math.max(0, rest - stock.maple), Math.min(rest, stock.nut)));
      if (nut?.kind !== 'pay') throw new Error('no nuts');
      expect(plainPayment(cost, stock)).toEqual({ wood: wood.count, nut: nut.count, maple: rest - nut.count });
    }
  });

  it('find what is kept', () => {
    const [wood, both] = [{ wood: 3, nut: 0, maple: 0 }, { wood: 2, nut: 0, maple: 1 }];
    const offers = offersOf(legal({ kind: 'keep', units: wood }, { kind: 'keep', units: both }));
    expect(keepOf(offers, { wood: 2, nut: 0, maple: 1 })).toBe(offers.keeps[1]);
    expect(keepOf(offers, { wood: 2, nut: 0, maple: 0 })).toBeNull();
  });
});

describe('owls', () => {
  it('are used or woken by pressing them', () => {
    const units = { wood: 2, nut: 0, maple: 0, any: 0 };
    const double: Facts = { kind: 'take-resources', units, owl: 'double', turns: null, into: null };
    const all: Facts = { kind: 'wake-owls', owls: ['double'], every: true };
    const wake: Facts = { kind: 'wake-owls', owls: ['switch'], every: false };
    expect(owlOffer(offersOf(legal({ ...double, owl: null }, double)), 'double', [])?.facts).toEqual(double);
    expect(owlOffer(offersOf(legal({ kind: 'take-berry' }, all)), 'double', ['double'])?.facts).toEqual(all);
    const two = offersOf(legal({ ...all, owls: ['double', 'switch'] }, wake));
    expect(owlOffer(two, 'switch', ['double', 'switch'])?.facts).toEqual(wake);
    expect(owlOffer(offersOf(legal({ kind: 'stop-advancing', thirteen: false })), 'discount', [])).toBeNull();
  });
});

it('finds the last trick in the log, begun before it', () => {
  const told = (...events: Entry['events']): Entry => ({ ply: 1, seat: 1, action: '', says: [], events });
  const played = (seat: number | 'frank', card: string) => ({ kind: 'card-played', seat, card, manner: 'follow' }) as const;
  const log = [
    told(played('frank', 'blue 2'), played(1, 'blue 9'), { kind: 'trick-won', seat: 1, card: 'blue 9' }),
    told({ kind: 'trick-cleared', cards: ['blue 4'], lead: 1 }),
  ];
  expect(lastTrick(log, [{ seat: 0, card: 'blue 4' }])).toEqual({ cards: ['blue 4', 'blue 2', 'blue 9'], best: 'blue 9' });
  expect(lastTrick([told(played(0, 'blue 4'))])).toBeNull();
});
