import { render, screen } from '@testing-library/svelte';
import { readFileSync } from 'node:fs';
import { createRawSnippet } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { fixtures, seatsOf } from '../gallery/fixtures';
import ActionBar from './ActionBar.svelte';
import { aroundTable, boardOf } from './board';
import Card from './Card.svelte';
import Confirm from './Confirm.svelte';
import Hand from './Hand.svelte';
import PlainBoard from './PlainBoard.svelte';
import { seatLook } from './seats';

const some = Object.values(fixtures)[0]!;

describe('Card', () => {
  it('is a picture with a name until it can be pressed', async () => {
    const { rerender } = render(Card, { label: 'Goose' });
    expect(screen.getByRole('img', { name: 'Goose' })).toBeTruthy();
    const onpress = vi.fn();
    await rerender({ label: 'Goose', onpress });
    screen.getByRole('button', { name: 'Goose' }).click();
    expect(onpress).toHaveBeenCalledOnce();
  });

  it('says why it cannot be played, and is not played', async () => {
    const onpress = vi.fn();
    render(Card, { label: 'Red 3', dim: true, why: 'You must follow blue (FG-17)', onpress });
    screen.getByRole('button').click();
    expect((await screen.findByRole('alert')).textContent).toContain('FG-17');
    expect(onpress).not.toHaveBeenCalled();
  });
});

describe('Hand', () => {
  it('keeps one card in the tab order and moves with the arrow keys', async () => {
    const card = createRawSnippet<[{ key: string | number }, number]>((item, tabindex) => ({
      render: () => `<button tabindex="${tabindex()}">${item().key}</button>`,
    }));
    render(Hand, { items: ['a', 'b', 'c'].map((key) => ({ key })), label: 'Your hand', card });
    const group = screen.getByRole('group', { name: 'Your hand' });
    screen.getByText('a').focus();
    group.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    expect(document.activeElement?.textContent).toBe('b');
    group.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }));
    expect(document.activeElement?.textContent).toBe('c');
  });
});

describe('ActionBar', () => {
  it('offers every legal action, and none while busy', async () => {
    const view = some.find((fixture) => fixture.view.legal.length > 1)!.view;
    const act = vi.fn();
    const { rerender } = render(ActionBar, { legal: view.legal, act, open: true });
    const buttons = screen.getAllByRole('button');
    expect(buttons.map((button) => button.textContent)).toEqual(view.legal.map((a) => a.says));
    buttons.at(-1)!.click();
    expect(act).toHaveBeenCalledWith(view.legal.at(-1));
    await rerender({ legal: view.legal, act, open: true, busy: true });
    expect(screen.getAllByRole<HTMLButtonElement>('button').every((b) => b.disabled)).toBe(true);
  });
});

describe('Confirm', () => {
  it('asks, and only a yes goes on', async () => {
    const onyes = vi.fn();
    const onno = vi.fn();
    render(Confirm, { question: 'Send out the fox?', onyes, onno });
    screen.getByText('Cancel').click();
    expect(onno).toHaveBeenCalled();
    expect(onyes).not.toHaveBeenCalled();
    screen.getByText('Yes').click();
    expect(onyes).toHaveBeenCalledOnce();
  });
});

describe('board', () => {
  it('finds actions by notation and seats around the viewer', () => {
    const view = some.find((fixture) => fixture.view.legal.length > 0)!.view;
    expect(aroundTable({ ...view, names: ['a', 'b', 'c'], seat: 2 })).toEqual([2, 0, 1]);
    expect(aroundTable({ ...view, names: ['a', 'b', 'c'], seat: null })).toEqual([0, 1, 2]);
  });

  it('gives eight seats eight looks', () => {
    const looks = [...Array(8).keys()].map(seatLook);
    expect(new Set(looks.map((look) => look.animal)).size).toBe(8);
    expect(new Set(looks.map((look) => look.colour)).size).toBe(8);
  });

  for (const [game, list] of Object.entries(fixtures)) {
    it(`draws every position of ${game} without an error`, async () => {
      const Board = (await boardOf(game)) ?? PlainBoard;
      for (const { view, log } of list) {
        const { container, unmount } = render(Board, {
          view,
          log,
          seats: seatsOf(view),
          act: () => {},
          busy: false,
        });
        expect(container.textContent).toContain(view.names[0]);
        unmount();
      }
    });
  }
});

describe('the theme', () => {
  it('changes the ground of a button at the same moment as its text', () => {
    const [, button] = /^\.button \{([^}]*)\}/m.exec(readFileSync('src/kit/theme.css', 'utf8'))!;
    expect(button).toMatch(/transition:/);
    expect(button).not.toMatch(/transition:[^;]*(background|color|all)/);
  });
});
