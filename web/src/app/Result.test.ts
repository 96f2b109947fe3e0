import { render, screen } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import type { TableInfo, View } from '../api/types';
import { fixtures, seatsOf } from '../gallery/fixtures';
import Result from './Result.svelte';

it('leaves out what brought nobody anything, and keeps what brought somebody something', () => {
  const { view: over } = Object.values(fixtures).flat().find(({ view }) => view.tally?.[1]?.length)!;
  const tally = over.tally!.map((_, seat): [string, number][] => [['gold', seat], ['dust', 0]]);
  const view = { ...over, tally } as View;
  render(Result, { view, table: { seats: seatsOf(view) } as TableInfo });
  expect(screen.getAllByText('gold')).toHaveLength(tally.length);
  expect(screen.queryByText('dust')).toBeNull();
});
