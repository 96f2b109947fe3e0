import { describe, expect, it } from 'vitest';
import { fixtures } from '../../gallery/fixtures';
import { keepOf, lastTrick, offersOf, owlOffer, plainAnswer, stillToPay } from './moves';
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
