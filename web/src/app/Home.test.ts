import { render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../api/rest';
import type { GameInfo, TableList } from '../api/types';
import { catalogue } from './catalogue.svelte';
import Home from './Home.svelte';

const NONE: TableList = { mine: [], open: [], recent: [], next: {} };

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('Home', () => {
  it('looks again now and then while it is shown', async () => {
    const tables = vi.spyOn(api, 'tables').mockResolvedValue(NONE);
    render(Home);
    await vi.advanceTimersByTimeAsync(9000);
    expect(tables).toHaveBeenCalledTimes(3);
  });

  it('asks for nothing and names nothing once it is left, even if an answer is on its way', async () => {
    let answer: (list: TableList) => void = () => {};
    const tables = vi.spyOn(api, 'tables').mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const { unmount } = render(Home);
    await tick();
    expect(tables).toHaveBeenCalledOnce();
    unmount();
    document.title = 'Happy Fox · Foxden';
    answer(NONE);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(tables).toHaveBeenCalledOnce();
    expect(document.title).toBe('Happy Fox · Foxden');
  });

  it('offers newcomers a lesson, until they have finished one', async () => {
    vi.spyOn(api, 'tables').mockResolvedValue(NONE);
    localStorage.clear();
    const game = { name: 'some', title: 'Some', seats: [2], levels: [], options: [], quick: {}, ready: 1 };
    catalogue.games = [{ ...game, lesson: false }, { ...game, name: 'other', title: 'Other', lesson: true }] as unknown as GameInfo[];
    catalogue.state = 'here';
    const { unmount } = render(Home);
    await tick();
    expect(screen.getByRole('link', { name: 'Learn Other by playing' }).getAttribute('href')).toBe('/learn/other');
    expect(screen.getByRole('link', { name: 'Learn Other' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Learn Some' })).toBeNull();
    unmount();
    localStorage.setItem('foxden.learned', '["other"]');
    render(Home);
    await tick();
    expect(screen.queryByRole('link', { name: 'Learn Other by playing' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Learn Other' })).toBeTruthy();
  });
});
