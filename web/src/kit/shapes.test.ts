import { describe, expect, it } from 'vitest';
import { heading, layOut } from './shapes';
import cases from './shapes.json';

describe('a table read by its shapes', () => {
  for (const { name, table, seats, layout } of cases) it(name, () => expect(layOut(table, seats)).toEqual(layout));

  it('has headings in plain words', () => {
    expect(heading('hand_size')).toBe('Hand size');
    expect(heading('left-right')).toBe('Left-right');
    expect(heading('')).toBe('');
  });
});
