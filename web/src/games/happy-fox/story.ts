/**
 * What the middle of the table shows of a grab.
 *
 * A view tells only how the table lies now; that a dog was turned up is seen by comparing two.
 */

import { turnOf } from './moves';
import type { Table } from './types';

export interface Story {
  by: number;
  geese: { seat: number; turn: number }[];
  victim: number | null; // whose yard the fox is in, or who caught it
  dog: number | null; // the turn of the dog that ended it
  end: 'on' | 'kept' | 'caught' | 'no prey';
  since: number; // actions played since it ended
}

interface Entry {
  seat: number;
  action: string;
}

/** Goes on with the story after the actions of `log`; `before` is the table they began at. */
export function follow(
  story: Story | null,
  before: Table | null,
  log: readonly Entry[],
  now: Table,
): Story | null {
  if (now.grab) {
    const { by, geese, victim } = now.grab;
    return { by, geese, victim, dog: null, end: 'on', since: 0 };
  }
  const last = log.at(-1);
  if (!last) return story;
  if (last.action === 'fox') {
    return { by: last.seat, geese: [], victim: null, dog: null, end: 'no prey', since: 0 };
  }
  const grab = log.length === 1 ? before?.grab : null;
  const turn = turnOf(last.action);
  if (grab && last.action === 'stop') return { ...grab, dog: null, end: 'kept', since: 0 };
  if (grab && before && turn !== null) {
    const { by, victim } = grab;
    const lost = (table: Table) => table.seats[victim]!.won_by_set[by]!.fox;
    if (lost(now) > lost(before)) return { ...grab, dog: turn, end: 'caught', since: 0 };
    const geese = [...grab.geese, { seat: victim, turn }];
    return { by, geese, victim, dog: null, end: 'kept', since: 0 };
  }
  if (!story || story.end === 'on') return null;
  return { ...story, since: story.since + log.length };
}
