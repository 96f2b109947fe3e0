import { render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SeatInfo, TableInfo } from '../api/types';
import { changes } from './presence';
import Presence from './Presence.svelte';

const person: SeatInfo = {
  seat: 1,
  kind: 'person',
  name: 'Jonas',
  level: null,
  standin: false,
  resigned: false,
  mine: false,
  here: true,
  replace_in: null,
  voice: null,
};
const now = (more: Partial<SeatInfo>): SeatInfo[] => [{ ...person, ...more }];

afterEach(() => vi.useRealTimers());

describe('who came and went', () => {
  it('is told in a sentence', () => {
    expect(changes([person], now({ here: false }), true)).toEqual(['Jonas is away.']);
    expect(changes(now({ here: false }), [person], true)).toEqual(['Jonas is back.']);
    expect(changes([person], now({ standin: true }), true)).toEqual(['A bot is playing for Jonas.']);
    expect(changes(now({ standin: true }), [person], true)).toEqual(['Jonas is playing again.']);
    expect(changes([person], now({ kind: 'bot', name: 'Ada' }), true)).toEqual(['Jonas resigned. A bot plays on.']);
  });

  it('is told of other people at a table that has begun, and of nobody else', () => {
    expect(changes([], [person], true)).toEqual([]);
    expect(changes([person], [person], true)).toEqual([]);
    expect(changes([person], now({ here: false }), false)).toEqual([]);
    expect(changes([person], now({ kind: 'open', name: '' }), true)).toEqual([]);
    expect(changes(now({ mine: true }), now({ mine: true, here: false }), true)).toEqual([]);
    expect(changes(now({ kind: 'bot' }), now({ kind: 'bot', here: false }), true)).toEqual([]);
  });

  it('is shown for a while', async () => {
    vi.useFakeTimers();
    const table = (seats: SeatInfo[]) => ({ table: { status: 'running', seats } as TableInfo });
    const { rerender } = render(Presence, table([person]));
    await rerender(table(now({ here: false })));
    expect(screen.getByText('Jonas is away.')).toBeTruthy();
    vi.advanceTimersByTime(7000);
    await tick();
    expect(screen.queryByText('Jonas is away.')).toBeNull();
  });
});
