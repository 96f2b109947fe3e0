import { render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import SidePanel from './SidePanel.svelte';
import TableHeader from './TableHeader.svelte';
import TableTools from './TableTools.svelte';

const children = createRawSnippet(() => ({ render: () => '<p>inside</p>' }));
const props = { panel: null, unread: 0, disabled: false, show: () => {} };

describe('the tools of a table', () => {
  it('open what lies beside the board, and say what is open and unread', async () => {
    const show = vi.fn();
    const { rerender } = render(TableTools, { ...props, show, unread: 2 });
    expect(screen.getAllByRole('button').map((button) => button.textContent!.trim())).toEqual(['Log', 'Chat 2 unread', 'Guide', 'Table']);
    screen.getByRole('button', { name: 'Log' }).click();
    expect(show).toHaveBeenCalledWith('log');
    await rerender({ ...props, show, panel: 'log' });
    expect(screen.getByRole('button', { expanded: true }).textContent).toContain('Log');
  });

  it('offer a hint where there are hints', async () => {
    const ask = vi.fn();
    const { rerender } = render(TableTools, { ...props, hint: { ask, thinking: false, disabled: false } });
    screen.getByRole('button', { name: 'Hint' }).click();
    expect(ask).toHaveBeenCalledOnce();
    await rerender({ ...props, hint: { ask, thinking: true, disabled: true } });
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Thinking' }).disabled).toBe(true);
  });
});

describe('the side panel', () => {
  it('has a name and can be closed', () => {
    const onclose = vi.fn();
    render(SidePanel, { label: 'Log', onclose, children });
    expect(screen.getByRole('complementary', { name: 'Log' }).textContent).toContain('inside');
    screen.getByRole('button', { name: 'Close' }).click();
    expect(onclose).toHaveBeenCalledOnce();
  });
});

describe('the head of the page', () => {
  it('says how one is connected', async () => {
    const { rerender } = render(TableHeader, { title: 'Fox', link: 'connecting', watching: true, children });
    expect(screen.getByRole('status').textContent).toBe('connecting');
    await rerender({ link: 'lost' });
    expect(screen.getByRole('status').textContent).toBe('reconnecting');
    await rerender({ link: 'live' });
    expect(screen.queryByRole('status')).toBeNull();
    expect(screen.getByText('watching')).toBeTruthy();
    await rerender({ watching: false });
    expect(screen.queryByText('watching')).toBeNull();
  });
});
