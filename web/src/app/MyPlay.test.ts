import { render, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { api } from '../api/rest';
import type { GamePlay } from '../api/types';
import { me } from './me.svelte';
import MyPlay from './MyPlay.svelte';

const kind = (name: string, losses: number): GamePlay['kinds'][number] => ({ kind: name, decisions: 9, losses, lost: losses / 10, puzzles: 4 });

afterEach(() => {
  vi.restoreAllMocks();
  me.person = null;
});

describe('My play', () => {
  it('tells costly kinds of decision apart from those that cost nothing', async () => {
    me.known = true;
    me.person = { id: 'mia', name: 'Mia' } as NonNullable<typeof me.person>;
    const play = { game: 'fox-grove', title: 'Fox Grove', matches: 2, decisions: -0.1, luck: 0.2, kinds: [kind('take_reward', 2), kind('climb', 0)] };
    vi.spyOn(api, 'myPlay').mockResolvedValue([play]);
    render(MyPlay);
    const rows = (await screen.findAllByRole('row')).slice(1);
    expect(rows.map((row) => row.textContent)).toEqual(['Take reward−10.0 %2 of 94 puzzles']);
    expect(screen.getByText('Nothing clearly lost: climb (9).')).toBeTruthy();
    expect(document.querySelector('section p')!.textContent).toBe(
      'In the 2 matches you reviewed, on average, your decisions cost 10.0 % of a win; the deal, the draws and the others brought +20.0 %.',
    );
  });

  it('says so where no decision cost anything', async () => {
    me.known = true;
    me.person = { id: 'mia', name: 'Mia' } as NonNullable<typeof me.person>;
    vi.spyOn(api, 'myPlay').mockResolvedValue([{ game: 'fox-grove', title: 'Fox Grove', matches: 1, decisions: 0, luck: -0.25, kinds: [kind('climb', 0)] }]);
    render(MyPlay);
    expect((await screen.findByText(/In the match you reviewed/)).textContent).toContain('your decisions cost nothing; the deal');
  });
});
