import { render } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fixtures, seatsOf, type Fixture } from '../gallery/fixtures';
import { boardOf } from './board';
import type { Flight } from './flights.svelte';
import { placed } from './motion';

type Of = (event: { kind: string }) => Flight[];
const modules = import.meta.glob<{ flightsOf: Of }>('../games/*/flights.ts', { eager: true });
const games = Object.entries(modules).map(([path, { flightsOf }]) => ({ game: path.split('/')[2]!, flightsOf }));
const box = { left: 10, top: 10, width: 40, height: 40 } as DOMRect;

async function sit(game: string, { view, log }: Fixture) {
  const Board = (await boardOf(game))!;
  const props = { view, seats: seatsOf(view), log, act: () => {}, busy: false };
  return { props, ...render(Board, { props }) };
}

/** Removes numbers: all seats and slots are alike. */
const kindOf = (place: string): string => place.replace(/\d+/g, 'N');

describe('what flies', () => {
  test.each(games)('$game: from and to places that the board has', async ({ game, flightsOf }) => {
    const wanted = new Set<string>();
    const found = new Set<string>();
    for (const fixture of fixtures[game]!) {
      const all = fixture.log.flatMap((entry) => entry.events.flatMap(flightsOf));
      const places = all.flatMap(({ from, to }) => [from, to]);
      if (places.every((place) => found.has(kindOf(place)))) continue;
      const { container, unmount } = await sit(game, fixture);
      for (const place of places) {
        wanted.add(kindOf(place));
        if (container.querySelector(placed(place))) found.add(kindOf(place));
      }
      unmount();
    }
    expect(wanted.size).toBeGreaterThan(1);
    expect([...found].sort()).toEqual([...wanted].sort());
  });
});

describe('when it flies', () => {
  const { game, flightsOf } = games[0]!;
  const fixture = fixtures[game]!.find(({ log }) => log.some((entry) => entry.events.flatMap(flightsOf).length))!;
  const flying = (): number => document.querySelectorAll('.flying').length;

  beforeEach(() => {
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(box);
    vi.spyOn(Element.prototype, 'animate').mockReturnValue({ finished: new Promise(() => {}), cancel() {}, finish() {} } as never);
  });
  afterEach(() => {
    document.querySelectorAll('.flying').forEach((one) => one.remove());
    vi.restoreAllMocks();
  });

  test('after moves that led from the position shown to the next one', async () => {
    const { log, view } = fixture;
    const before = { ...fixture, log: [], view: { ...view, ply: view.ply - log.length } };
    const { props, rerender } = await sit(game, before);
    expect(flying()).toBe(0);
    await rerender({ ...props, view, log });
    expect(flying()).toBeGreaterThan(0);
  });

  test('not where one has just arrived, jumped, or wants no motion', async () => {
    const { log, view } = fixture;
    const { props, rerender, unmount } = await sit(game, fixture);
    expect(flying()).toBe(0);
    await rerender({ ...props, view: { ...view, ply: view.ply + log.length + 5 }, log });
    expect(flying()).toBe(0);
    unmount();
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
    const again = await sit(game, { ...fixture, log: [], view: { ...view, ply: view.ply - log.length } });
    await again.rerender({ ...again.props, view, log });
    expect(flying()).toBe(0);
    vi.unstubAllGlobals();
  });
});
