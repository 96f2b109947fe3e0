import { describe, expect, it } from 'vitest';
import { fixtures } from '../../gallery/fixtures';
import { converted, keepOf, lastTrick, offersOf, owlOffer, parse, plainAnswer, stillToPay, unitsIn } from './moves';
import type { Advance } from './types';

let id = 0;
const legal = (...notations: string[]) => notations.map((notation) => ({ id: id++, notation, says: notation }));

describe('notation', () => {
  it('is read for every legal action of every fixture', () => {
    for (const { view } of fixtures['fox-grove']!) {
      for (const { notation } of view.legal) expect(() => parse(notation), notation).not.toThrow();
    }
  });

  it('tells cards, owls, houses and amounts apart', () => {
    expect(parse('play blue 13')).toEqual({ verb: 'play', card: 'blue 13' });
    expect(parse('pick two')).toEqual({ verb: 'pick two' });
    expect(parse('convert wood to nut')).toEqual({ verb: 'convert', from: 'wood', into: 'nut' });
    expect(parse('pay 1 berry')).toEqual({ verb: 'pay', what: 'berry', count: 1 });
    expect(parse('pay 0 nuts')).toEqual({ verb: 'pay', what: 'nut', count: 0 });
    expect(parse('reactivate')).toEqual({ verb: 'reactivate', owl: null });
    expect(parse('reactivate pick two')).toEqual({ verb: 'reactivate', owl: 'pick two' });
    expect(parse('keep 1 wood 2 maple')).toEqual({ verb: 'keep', units: { wood: 1, nut: 0, maple: 2 } });
    expect(() => parse('juggle acorns')).toThrow(/knows no move/);
    expect(() => parse('play green 4')).toThrow(/green/);
  });

  it('counts resources in words', () => {
    expect(unitsIn('1 wood, 1 nut and 1 maple')).toEqual({ wood: 1, nut: 1, maple: 1, any: 0 });
    expect(unitsIn('Use double: take 2 of any kind.')).toEqual({ wood: 0, nut: 0, maple: 0, any: 2 });
    expect(converted(unitsIn('2 wood and 1 nut'), 'wood', 'nut')).toEqual({ wood: 0, nut: 3, maple: 0, any: 0 });
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
    expect(plainAnswer(offersOf(legal('no switch', 'switch')), advance, stock)?.notation).toBe('no switch');
    expect(plainAnswer(offersOf(legal('discount')), advance, stock)?.notation).toBe('discount');
    expect(plainAnswer(offersOf(legal('pay 1 berry', 'pay 2 berries')), advance, stock)?.notation).toBe('pay 1 berry');
    expect(plainAnswer(offersOf(legal('pay 2 wood', 'pay 3 wood')), advance, stock)?.notation).toBe('pay 3 wood');
    const nuts = { wood: 0, nut: 4, maple: 1 };
    expect(plainAnswer(offersOf(legal('pay 0 nuts', 'pay 1 nut')), { ...advance, wood: 2 }, nuts)?.notation).toBe('pay 1 nut');
    expect(plainAnswer(offersOf(legal('stop')), advance, stock)).toBeNull();
  });

  it('find what is kept', () => {
    const offers = offersOf(legal('keep 3 wood', 'keep 2 wood 1 maple'));
    expect(keepOf(offers, { wood: 2, nut: 0, maple: 1 })?.notation).toBe('keep 2 wood 1 maple');
    expect(keepOf(offers, { wood: 2, nut: 0, maple: 0 })).toBeNull();
  });
});

describe('owls', () => {
  it('are used or woken by pressing them', () => {
    expect(owlOffer(offersOf(legal('as printed', 'double')), 'double', [])?.notation).toBe('double');
    expect(owlOffer(offersOf(legal('berry', 'reactivate')), 'double', ['double'])?.notation).toBe('reactivate');
    const two = offersOf(legal('berry', 'reactivate', 'reactivate double', 'reactivate switch'));
    expect(owlOffer(two, 'switch', ['double', 'switch'])?.notation).toBe('reactivate switch');
    expect(owlOffer(offersOf(legal('stop')), 'discount', [])).toBeNull();
  });
});

it('finds the last trick in the log, begun before it', () => {
  const said = (seat: number, action: string, ...says: string[]) => ({ ply: 1, seat, action, says });
  const log = [
    said(1, 'play blue 9', 'Mia follows with blue 9.', 'Mia wins the trick with blue 9.'),
    said(1, 'take blue 9', 'Mia takes 2 wood.'),
  ];
  expect(lastTrick(log, [{ seat: 0, card: 'blue 4' }])).toEqual({
    cards: ['blue 4', 'blue 9'],
    best: 'blue 9',
    says: 'Mia wins the trick with blue 9.',
  });
  expect(lastTrick([said(0, 'play blue 4', 'You lead blue 4.')])).toBeNull();
});
