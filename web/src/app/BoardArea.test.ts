import { fireEvent, render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { fixtures, seatsOf } from '../gallery/fixtures';
import BoardArea from './BoardArea.svelte';

const [game, list] = Object.entries(fixtures)[0]!;
const view = list.find((fixture) => fixture.view.legal.length)!.view;
const props = { game, view, seats: seatsOf(view), log: [], act: () => {}, busy: false, moves: true };
const loaded = async (): Promise<void> => {
  await screen.findByRole('region', { name: 'The table' }, { timeout: 30_000 });
};

describe('the area of a board', () => {
  it('lists all moves under a board, when asked to', async () => {
    const { rerender } = render(BoardArea, props);
    await loaded();
    expect(screen.getByText('All moves')).toBeTruthy();
    await rerender({ ...props, moves: false });
    expect(screen.queryByText('All moves')).toBeNull();
  });

  it('keeps the room of a list that is open while nothing is asked', async () => {
    const { rerender } = render(BoardArea, { ...props, seated: true });
    await loaded();
    const room = document.querySelector('.moves')!;
    expect(room.matches('.listing')).toBe(false);
    (document.querySelector('.bar') as HTMLDetailsElement).open = true;
    await fireEvent(document.querySelector('.bar')!, new Event('toggle'));
    expect(room.matches('.listing')).toBe(true);
    await rerender({ ...props, seated: true, moves: false });
    expect(room.matches('.listing')).toBe(true);
    expect(room.textContent).toContain('Your moves will be listed here.');
  });

  it('draws a game that has no board, with its moves on the board alone', async () => {
    render(BoardArea, { ...props, game: 'none' });
    await loaded();
    expect(document.querySelector('.plain')).toBeTruthy();
    expect(screen.getAllByText('All moves')).toHaveLength(1);
  });
});
