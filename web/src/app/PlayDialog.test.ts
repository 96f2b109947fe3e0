import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../api/rest';
import type { GameInfo, TableInfo } from '../api/types';
import { me } from './me.svelte';
import PlayDialog from './PlayDialog.svelte';

const foxes = { name: 'foxes', kind: 'choice', help: '', rules: ['XX-2'], standard: 'none', choices: { none: 'no foxes', jokers: 'four jokers are foxes' } };
const game = {
  name: 'some-fox',
  title: 'Some Fox',
  seats: [2, 3],
  usual: 3,
  quick: { foxes: 'jokers' },
  options: [foxes],
  levels: [1, 2, 3, 4, 5].map((level) => ({ level, name: `Level ${level}`, says: '' })),
} as unknown as GameInfo;

beforeEach(() => {
  localStorage.clear();
  me.person = { id: 'mia', name: 'Mia' };
  render(PlayDialog, { game, onclose: () => {} });
});
afterEach(() => vi.restoreAllMocks());

describe('the dialog of a game', () => {
  it.each([
    ['Play now', 'bot'],
    ['Invite friends', 'open'],
  ])('%s: takes the game’s quick options, and bots of the chosen level', async (button, kind) => {
    const opened = vi.spyOn(api, 'open').mockResolvedValue({ id: 'abc' } as TableInfo);
    await fireEvent.click(screen.getByRole('radio', { name: /Level 4/, hidden: true }));
    await fireEvent.click(screen.getByRole('button', { name: button, hidden: true }));
    await tick();
    expect(opened.mock.calls).toEqual([
      [{ game: 'some-fox', seats: [{ kind: 'me' }, { kind, level: 4 }, { kind, level: 4 }], options: { foxes: 'jokers' }, pace: 'brisk' }],
    ]);
  });

  it('says which house rules it plays with', () => {
    expect(screen.getByText('House rules: four jokers are foxes.')).toBeTruthy();
  });
});
