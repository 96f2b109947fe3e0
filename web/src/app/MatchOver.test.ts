import { render, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TableInfo } from '../api/types';
import { fixtures, seatsOf } from '../gallery/fixtures';
import MatchOver from './MatchOver.svelte';

const view = Object.values(fixtures).flat().find((fixture) => fixture.view.scores)!.view;
const table = (more: Partial<TableInfo> = {}): TableInfo =>
  ({ id: 'abc', status: 'over', seats: seatsOf({ ...view, seat: 0 }), rematch: null, invite: null, ...more }) as TableInfo;

afterEach(() => vi.unstubAllGlobals());

describe('after the match', () => {
  it('offers another match to who played, and says why there is none', async () => {
    const refused = { type: '/problems/too-late', title: '', status: 409, detail: 'The others have left.' };
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify(refused), { status: 409, headers: { 'content-type': 'application/problem+json' } }));
    const onreplay = vi.fn();
    render(MatchOver, { table: table(), view, onreplay });
    screen.getByRole('button', { name: 'Play again' }).click();
    expect((await screen.findByRole('alert')).textContent).toBe('The others have left.');
    screen.getByRole('button', { name: 'Replay' }).click();
    expect(onreplay).toHaveBeenCalledOnce();
  });

  it('offers a branch again from its position, and the match that it left', () => {
    const origin = { kind: 'branch' as const, day: null, table: 'src', ply: 9, seat: 1, open: false };
    render(MatchOver, { table: table({ origin }), view, onreplay: () => {} });
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'The match it left' }).getAttribute('href')).toBe('/t/src/review/1');
  });

  it('offers who watched only the rematch that there is', async () => {
    const seats = seatsOf({ ...view, seat: null });
    const { rerender } = render(MatchOver, { table: table({ seats }), view, onreplay: () => {} });
    expect(screen.queryByRole('button', { name: /again|rematch/ })).toBeNull();
    await rerender({ table: table({ seats, rematch: 'def' }) });
    screen.getByRole('button', { name: 'Join rematch' }).click();
    expect(location.pathname).toBe('/t/def');
  });
});
