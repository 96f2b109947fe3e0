import { render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../api/rest';
import type { PuzzleInfo, PuzzleResult } from '../api/types';
import { fixtures } from '../gallery/fixtures';
import { me } from './me.svelte';
import PuzzlePage from './PuzzlePage.svelte';

const [game, list] = Object.entries(fixtures)[0]!;
const view = list.find((fixture) => fixture.view.legal.length)!.view;
const puzzle = { id: 'a', game, title: 'A game', kind: 'lay', rating: 1500, view, log: [] } as PuzzleInfo;
const mia = { id: 'mia', name: 'Mia' } as NonNullable<typeof me.person>;
// One's own choice is the worst of eight.
const mine = view.legal[0]!.id;
const values = [91, 92, 93, 94, 95, 96, 97, mine].map((action, place) => ({ action, notation: '', says: `Choice ${action}.`, chance: 0.8 - place / 10, margin: 0.1 }));
const result: PuzzleResult = { solved: false, best: 91, values, rating: 1470, change: -30 };

beforeEach(() => {
  Element.prototype.scrollIntoView ??= () => {};
});
afterEach(() => {
  vi.restoreAllMocks();
  me.person = null;
  me.asking = false;
});

async function answer(): Promise<void> {
  await screen.findByText('All moves', {}, { timeout: 30_000 });
  document.querySelector<HTMLElement>('.bar ul button')!.click();
}

describe('a puzzle', () => {
  it('shows the best choices, and one’s own with its place among all', async () => {
    me.person = mia;
    vi.spyOn(api, 'nextPuzzle').mockResolvedValue(puzzle);
    vi.spyOn(api, 'solve').mockResolvedValue(result);
    render(PuzzlePage, { game, kind: null });
    await answer();
    await screen.findByRole('heading', { name: 'Better: Choice 91' });
    const shown = [...document.querySelectorAll<HTMLLIElement>('.answer li')];
    expect(shown.map((one) => one.value)).toEqual([1, 2, 3, 4, 5, 8]);
    expect(shown.at(-1)!.textContent).toContain('yours');
  });

  it('stays where it is while somebody new gives a name to answer', async () => {
    const next = vi.spyOn(api, 'nextPuzzle').mockResolvedValue(puzzle);
    vi.spyOn(api, 'solve').mockResolvedValue(result);
    vi.spyOn(api, 'arrive').mockResolvedValue(mia);
    render(PuzzlePage, { game, kind: null });
    await answer();
    await vi.waitFor(() => expect(me.asking).toBe(true));
    const { callMe } = await import('./me.svelte');
    await callMe('Mia');
    await screen.findByRole('button', { name: 'Next puzzle' });
    await tick();
    expect(next).toHaveBeenCalledOnce();
  });
});
