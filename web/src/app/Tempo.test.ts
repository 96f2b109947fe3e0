import { render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, it, vi } from 'vitest';
import Tempo from './Tempo.svelte';

const seats = [{ kind: 'person' }, { kind: 'bot' }];

function tempo(table: object, more: object = {}) {
  const live = { table: { id: 'abc', status: 'running', host: true, pace: 'brisk', to_act: 1, seats, ...table }, seat: 0, view: { ply: 9 }, log: [{ seat: 0, ply: 7 }], hurry: vi.fn(), ...more };
  const lookBack = { on: false, to: vi.fn(), end: vi.fn(), replay: { ply: 7 } };
  return { live: live as any, lookBack: lookBack as any };
}

it('skips to the next decision, and then goes on at the pace of before', async () => {
  const { live, lookBack } = tempo({});
  const { rerender } = render(Tempo, { live, lookBack, yours: false });
  screen.getByRole('button', { name: 'Skip to my next decision' }).click();
  expect(live.hurry).toHaveBeenLastCalledWith('instant');
  live.table = { ...live.table, pace: 'instant' };
  await rerender({ live: { ...live }, lookBack, yours: true });
  expect(live.hurry).toHaveBeenLastCalledWith('brisk');
});

it('returns to the pace of before though the page was loaded anew while it skipped', async () => {
  const first = tempo({});
  const { unmount } = render(Tempo, { ...first, yours: false });
  screen.getByRole('button', { name: 'Skip to my next decision' }).click();
  unmount();
  const elsewhere = tempo({ id: 'other', pace: 'instant' });
  render(Tempo, { ...elsewhere, yours: true }).unmount();
  expect(elsewhere.live.hurry).not.toHaveBeenCalled();
  const again = tempo({ pace: 'instant' });
  render(Tempo, { ...again, yours: true });
  await tick();
  expect(again.live.hurry).toHaveBeenCalledWith('brisk');
});

it('leaves the pace to the host, and to tables where bots wait at all', async () => {
  for (const table of [{ host: false }, { pace: 'instant' }, { to_act: 0 }, { status: 'over' }]) {
    const { live, lookBack } = tempo(table);
    const { unmount } = render(Tempo, { live, lookBack, yours: false });
    expect(screen.queryByRole('button')).toBeNull();
    unmount();
  }
});

it('shows what was played since the last decision again, from the position after it', async () => {
  const { live, lookBack } = tempo({ to_act: 0 });
  const { rerender } = render(Tempo, { live, lookBack, yours: true });
  screen.getByRole('button', { name: 'Show the last moves again' }).click();
  await tick();
  expect(lookBack.to).toHaveBeenCalledWith(7);
  const nothing = tempo({ to_act: 0 }, { log: [{ seat: 0, ply: 9 }] });
  await rerender({ live: nothing.live, lookBack: nothing.lookBack, yours: true });
  expect(screen.queryByRole('button')).toBeNull();
});
