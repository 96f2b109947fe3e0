import { render, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { api } from '../api/rest';
import type { DailyField } from '../api/types';
import DailyPage from './DailyPage.svelte';

type Entry = DailyField['entries'][number];
const entry = (name: string, place: number, more: Partial<Entry> = {}): Entry => ({ name, place, mine: false, score: 20, lead: -2, won: false, resigned: false, actions: 9, parted: null, path: null, ...more });
const parted = { ply: 4, mine: 'Lay a dog: it guards.', theirs: 'Lay a goose.' };

afterEach(() => vi.restoreAllMocks());

async function lines(entries: Entry[]): Promise<(string | null)[]> {
  vi.spyOn(api, 'dailyField').mockResolvedValue({ game: 'happy-fox', title: 'Happy Fox', day: '2026-11-16', over: true, entries });
  render(DailyPage, { game: 'happy-fox', day: '2026-11-16' });
  await screen.findByRole('table');
  return [...document.querySelectorAll('.line')].map((row) => row.textContent.trim());
}

describe('the field of a daily deal', () => {
  it('says where each line left one’s own', async () => {
    expect(await lines([entry('Ann', 1, { parted }), entry('Mia', 2, { mine: true }), entry('Ben', 3)])).toEqual([
      'You first differed at move 4: you “Lay a dog”, they “Lay a goose”.',
      'The same moves as yours, to the end.',
    ]);
  });

  it('compares nothing with who has not played', async () => {
    expect(await lines([entry('Ann', 1), entry('Ben', 2)])).toEqual([]);
  });
});
