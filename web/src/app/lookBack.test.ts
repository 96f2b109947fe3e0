import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LookBack } from './lookBack.svelte';

const seats = ['Mia', 'Jonas'].map((name, seat) => ({ seat, name, kind: 'person' }));
const live = (status: string, seat: number | null = 0) => ({ id: 'abc', seat, table: { id: 'abc', status, ply: 9, seats } });
const lookBack = (...told: Parameters<typeof live>): LookBack => new LookBack(live(...told) as never, 'k');

beforeEach(() => {
  vi.stubGlobal('fetch', async () => new Response('{"plies": 9}', { headers: { 'content-type': 'application/json' } }));
  history.replaceState(null, '', '/t/abc?key=k');
});

afterEach(() => vi.unstubAllGlobals());

describe('looking back', () => {
  it('shows only what this person may know while the match runs', () => {
    expect(lookBack('running').eyes).toEqual([[0, 'Your view']]);
    expect(lookBack('running', null).eyes).toEqual([[null, 'Spectator’s view']]);
  });

  it('shows everything once it is over, and keeps the eyes that were chosen', () => {
    const past = lookBack('over');
    expect(past.eyes.map(([eyes]) => eyes)).toEqual(['open', 0, 1, null]);
    past.to(3);
    expect([past.on, past.replay.ply, past.replay.eyes]).toEqual([true, 3, 'open']);
    past.to(4, 1);
    past.to(5);
    expect([past.replay.ply, past.replay.eyes]).toEqual([5, 1]);
  });

  it('has an address for every position of a match that is over', () => {
    const past = lookBack('over');
    past.to(3);
    expect(location.search).toBe('?key=k&ply=3');
    past.end();
    expect([past.on, location.search]).toEqual([false, '?key=k']);
    const running = lookBack('running');
    running.to(3);
    expect(location.search).toBe('?key=k');
  });
});
