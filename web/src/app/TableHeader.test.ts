import { render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { describe, expect, it } from 'vitest';
import type { Origin } from '../api/types';
import TableHeader from './TableHeader.svelte';

const children = createRawSnippet(() => ({ render: () => '<span></span>' }));
const branch: Origin = { kind: 'branch', day: null, table: 'src', ply: 9, seat: 1, open: false };

describe('the head of a table', () => {
  it('says where a match comes from, with the way back', async () => {
    const props = { title: 'Happy Fox', link: 'live' as const, watching: false, children };
    const { rerender } = render(TableHeader, { ...props, origin: branch });
    const back = screen.getByRole('link', { name: /what if/ });
    expect([back.textContent, back.getAttribute('href')]).toEqual(['what if, from move 10', '/t/src/review/1?ply=9']);
    await rerender({ ...props, origin: { ...branch, kind: 'daily', day: '2026-11-16' } });
    expect(screen.getByRole('link', { name: 'daily deal' }).getAttribute('href')).toBe('/daily');
    await rerender({ ...props, origin: null });
    expect(screen.queryByRole('link', { name: /what if|daily/ })).toBeNull();
  });
});
