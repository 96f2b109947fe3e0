import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fixtures, seatsOf } from '../gallery/fixtures';
import { FakeSocket } from '../testing';
import { LiveTable } from './live.svelte';
import type { FromServer, TableInfo, View } from './types';

const view = Object.values(fixtures)[0]!.find((fixture) => fixture.view.legal.length > 1)!.view;
const clock = { now: 100, due: null, left: [] };
const table = { id: 'abc', ply: view.ply, to_act: view.to_act, seats: seatsOf(view), status: 'running' } as TableInfo;
const problem = { type: '/problems/stale-ply', title: 'Stale', status: 409, detail: 'The table has moved on.' };

const last = (): FakeSocket => FakeSocket.all.at(-1)!;
const sync = (seat: number | null = view.seat, seen: View | null = view): FromServer => ({
  type: 'sync',
  table,
  seat,
  view: seen,
  log: [],
  chat: [],
  clock,
  decided: false,
});

let live: LiveTable;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  live = new LiveTable('abc', 'secret');
});

afterEach(() => {
  live.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('LiveTable', () => {
  it('brings its key and is live once it was told everything', () => {
    expect(last().url).toMatch(/\/api\/tables\/abc\/live\?key=secret$/);
    expect(live.link).toBe('connecting');
    expect(live.busy).toBe(true);
    last().tell(sync());
    expect(live.link).toBe('live');
    expect(live.busy).toBe(false);
    expect(live.view?.ply).toBe(view.ply);
  });

  it('is busy from a play to its answer, and plays nothing twice', () => {
    last().tell(sync());
    live.play(view.legal[0]!);
    live.play(view.legal[1]!);
    expect(last().sent).toEqual([{ type: 'play', seat: view.seat, ply: view.ply, action: view.legal[0]!.id, ref: 1 }]);
    expect(live.busy).toBe(true);
    expect(live.view?.ply).toBe(view.ply); // nothing is shown before the server says so
    last().tell({ type: 'update', view: { ...view, ply: view.ply + 1 }, log: [], clock });
    last().tell({ type: 'done', ref: 1, ply: view.ply + 1 });
    expect(live.busy).toBe(false);
    expect(live.view?.ply).toBe(view.ply + 1);
  });

  it('knows that there is a decision to take back, once there was more than one move', () => {
    const forced = { ...view, legal: view.legal.slice(0, 1) };
    const next = (ply: number): View => ({ ...view, ply, legal: [] });
    last().tell(sync(view.seat, forced));
    last().tell({ type: 'update', view: next(view.ply + 1), log: [], clock });
    expect(live.decided).toBe(false);
    last().tell({ type: 'update', view: { ...view, ply: view.ply + 2 }, log: [], clock });
    expect(live.decided).toBe(false);
    last().tell({ type: 'update', view: next(view.ply + 3), log: [], clock });
    expect(live.decided).toBe(true);
    last().tell(sync());
    expect(live.decided).toBe(false); // it was taken back
    last().tell({ ...sync(), decided: true } as FromServer);
    expect(live.decided).toBe(true);
  });

  it('shows why a play was refused, until the next one', () => {
    last().tell(sync());
    live.play(view.legal[0]!);
    last().tell({ type: 'refused', ref: 1, problem });
    expect(live.problem?.detail).toBe('The table has moved on.');
    expect(live.busy).toBe(false);
    live.play(view.legal[1]!);
    expect(live.problem).toBeNull();
  });

  it('says that it is lost, comes back with growing patience, and forgets what was under way', async () => {
    last().tell(sync());
    live.play(view.legal[0]!);
    last().fail();
    expect(live.link).toBe('lost');
    expect(live.busy).toBe(true);
    await vi.advanceTimersByTimeAsync(400);
    expect(FakeSocket.all).toHaveLength(2);
    last().fail();
    await vi.advanceTimersByTimeAsync(400);
    expect(FakeSocket.all).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(600);
    expect(FakeSocket.all).toHaveLength(3);
    last().tell(sync(view.seat, { ...view, ply: view.ply + 3 }));
    expect(live.link).toBe('live');
    expect(live.busy).toBe(false);
    expect(live.view?.ply).toBe(view.ply + 3);
  });

  it('does not trust a socket that no longer answers', async () => {
    last().tell(sync());
    await vi.advanceTimersByTimeAsync(20_000);
    expect(last().sent).toEqual([{ type: 'ping', ref: 1 }]);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(live.link).toBe('lost');
    await vi.advanceTimersByTimeAsync(1);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('hears nothing from a socket that it gave up', async () => {
    const first = last();
    first.tell(sync());
    dispatchEvent(new Event('offline'));
    expect(live.link).toBe('lost');
    first.tell(sync());
    expect(live.link).toBe('lost');
    dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(1);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('waits as long as the server asks when it says goodbye', async () => {
    last().tell(sync());
    last().tell({ type: 'bye', reason: 'restart', seconds: 3 });
    expect(live.link).toBe('lost');
    await vi.advanceTimersByTimeAsync(2_900);
    expect(FakeSocket.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('knows a door that stays shut', async () => {
    last().tell({ type: 'refused', ref: 0, problem: { ...problem, status: 404 } });
    last().fail(4404);
    expect(live.link).toBe('shut');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it('looks through another seat, and comes back through it', async () => {
    last().tell(sync(0));
    live.look(1);
    expect(last().sent).toEqual([{ type: 'look', seat: 1, ref: 1 }]);
    last().tell(sync(0)); // was under way
    expect(live.seat).toBe(0);
    last().tell(sync(1));
    expect(live.seat).toBe(1);
    last().fail();
    await vi.advanceTimersByTimeAsync(400);
    expect(last().url).toContain('seat=1');
  });

  it('keeps a log without gaps or doubles', () => {
    const entry = (ply: number) => ({ ply, seat: 0, action: 'x', says: [`${ply}`], events: [] });
    last().tell({ ...sync(), log: [entry(1), entry(2)] } as FromServer);
    last().tell({ type: 'update', view: { ...view, ply: 4 }, log: [entry(3), entry(4)], clock });
    last().tell({ type: 'update', view: { ...view, ply: 5 }, log: [entry(4), entry(5)], clock });
    expect(live.log.map(({ ply }) => ply)).toEqual([1, 2, 3, 4, 5]);
    expect(live.news.map(({ ply }) => ply)).toEqual([4, 5]);
  });

  it('shows hints only for the position they were thought for', () => {
    last().tell(sync());
    live.hint();
    expect(live.pondering).toBe(true);
    last().tell({ type: 'hints', ref: 1, ply: view.ply - 1, moves: [] });
    expect(live.hints).toBeNull();
    live.hint();
    last().tell({ type: 'hints', ref: 2, ply: view.ply, moves: [] });
    expect(live.hints?.ply).toBe(view.ply);
  });
});

describe('the key of an invitation', () => {
  it('is kept from what the table tells, so that who leaves a seat comes back to watch', () => {
    live.close();
    live = new LiveTable('abc', null);
    expect(last().url).not.toContain('key=');
    last().tell({ ...sync(), table: { ...table, invite: '/t/abc?key=mine' } } as FromServer);
    last().fail();
    vi.advanceTimersByTime(5000);
    expect(last().url).toContain('key=mine');
  });
});
