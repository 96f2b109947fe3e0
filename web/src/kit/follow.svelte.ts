/** What a board tells of the moves that led to a position, carried on from view to view. */
import { untrack } from 'svelte';
import type { LogEntry, View } from '../api/types';

/** Makes the story after `log`. `before` is the table it began at; null after a jump, as in a replay. */
type Next<Story, Table, Event> = (story: Story | null, before: Table | null, log: readonly LogEntry<Event>[], now: Table) => Story | null;

export class Following<Story, Table, Event> {
  story = $state.raw<Story | null>(null);

  /** Made while a board is. */
  constructor(shown: () => { view: View<Table>; log: readonly LogEntry<Event>[] }, next: Next<Story, Table, Event>) {
    let before: { table: Table; ply: number } | null = null;
    $effect.pre(() => {
      const { view, log } = shown();
      const { table: now, ply } = view;
      untrack(() => {
        if (now === before?.table) return;
        const on = before?.ply === ply - log.length;
        this.story = next(on ? this.story : null, on ? before!.table : null, log, now);
        before = { table: now, ply };
      });
    });
  }
}
