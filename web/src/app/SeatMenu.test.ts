import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { api } from '../api/rest';
import type { SeatInfo, TableInfo } from '../api/types';
import EndTable from './EndTable.svelte';
import SeatMenu from './SeatMenu.svelte';

const seat = (more: Partial<SeatInfo> = {}): SeatInfo => ({
  seat: 1,
  kind: 'person',
  name: 'Ben',
  level: null,
  standin: false,
  resigned: false,
  mine: false,
  here: false,
  replace_in: null,
  voice: 'v1',
  ...more,
});
const table = (more: Partial<TableInfo> = {}): TableInfo =>
  ({ id: 'abc', title: 'Happy Fox', status: 'open', host: true, muted: [], seats: [seat({ seat: 0, name: 'Mia', mine: true }), seat()], ...more }) as TableInfo;

afterEach(() => vi.restoreAllMocks());

describe('the menu of a seat', () => {
  it('lets the host free a seat, once that was asked', async () => {
    HTMLDialogElement.prototype.showModal ??= () => {};
    const sit = vi.spyOn(api, 'sit').mockResolvedValue(table());
    render(SeatMenu, { table: table(), seat: seat(), busy: false });
    await fireEvent.click(screen.getByText('Free this seat'));
    expect(sit).not.toHaveBeenCalled();
    await fireEvent.click(screen.getByText('Free the seat'));
    expect(sit).toHaveBeenCalledWith('abc', 1, { kind: 'open' }, null);
  });

  it('offers a bot for somebody who is away only when the grace is over', async () => {
    vi.useFakeTimers();
    const replace = vi.spyOn(api, 'replaceAbsent').mockResolvedValue(table());
    const running = table({ status: 'running', host: false });
    render(SeatMenu, { table: running, seat: seat({ replace_in: 90 }), busy: false });
    const button = screen.getByText('Let a bot play for Ben') as HTMLButtonElement;
    await tick();
    expect(button.disabled).toBe(true);
    expect(screen.getByText('1:30')).toBeTruthy();
    vi.advanceTimersByTime(91_000);
    await tick();
    expect(button.disabled).toBe(false);
    await fireEvent.click(button);
    expect(replace).toHaveBeenCalledWith('abc', 1);
    vi.useRealTimers();
  });

  it('mutes and unmutes, for the host alone', async () => {
    const unmute = vi.spyOn(api, 'unmute').mockResolvedValue(table());
    render(SeatMenu, { table: table({ status: 'running', muted: ['v1'] }), seat: seat(), busy: false });
    await fireEvent.click(screen.getByText('Unmute Ben'));
    expect(unmute).toHaveBeenCalledWith('abc', 'v1');
  });

  it('is not there when there is nothing to do', () => {
    render(SeatMenu, { table: table({ status: 'running', host: false }), seat: seat(), busy: false });
    expect(document.querySelector('details')).toBeNull();
  });
});

describe('ending a table', () => {
  it('lets somebody resign where others play, and says what that means', async () => {
    HTMLDialogElement.prototype.showModal ??= () => {};
    const leave = vi.spyOn(api, 'leave').mockResolvedValue();
    const onend = vi.fn();
    render(EndTable, { table: table({ status: 'running', host: false }), onend });
    expect(screen.queryByLabelText('Delete Happy Fox')).toBeNull();
    await fireEvent.click(screen.getByLabelText('Resign from Happy Fox'));
    expect(screen.getByText(/the result will say that you resigned/)).toBeTruthy();
    await fireEvent.click(screen.getAllByText('Resign').at(-1)!);
    await tick();
    expect(leave).toHaveBeenCalledWith('abc', 0);
    await vi.waitFor(() => expect(onend).toHaveBeenCalled());
  });

  it('says why the server does not delete a match that others play', async () => {
    vi.spyOn(api, 'close').mockRejectedValue(new Error('Ben would lose this match; resign instead.'));
    render(EndTable, { table: table({ status: 'running' }), onend: () => {} });
    await fireEvent.click(screen.getByLabelText('Delete Happy Fox'));
    await fireEvent.click(screen.getByText('Delete it'));
    await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toContain('would lose'));
  });
});
