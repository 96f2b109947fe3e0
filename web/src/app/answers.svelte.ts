/** Plays answers: automatically if there is no choice, but never so fast that it reveals something. */
import { untrack } from 'svelte';
import type { LiveTable } from '../api/live.svelte';
import type { LegalAction, Pace, TableInfo, View } from '../api/types';
import { isQuiet } from '../kit/board';
import { settings } from './settings.svelte';

const ALONE: Record<Pace, number> = { relaxed: 900, brisk: 400, instant: 0 }; // milliseconds
const LEAST = 800; // milliseconds, where other people wait
const SPREAD = 800;

/** Returns whether this person plays alone against bots. */
export function isAlone(table: TableInfo): boolean {
  return table.seats.every((seat) => seat.mine || (seat.kind === 'bot' && !seat.resigned));
}

/**
 * Draws the least time that "nothing to do" takes at a table. Among people it holds for those who cannot do
 * anything and for those who choose not to, so that it does not tell the one from the other.
 */
export function leastWait(table: TableInfo, dice = Math.random): number {
  return isAlone(table) ? ALONE[table.pace] : LEAST + SPREAD * dice();
}

export class Answers {
  /** The only legal move, if it shows nothing new: it is played automatically. */
  readonly forced: LegalAction | null = $derived.by(() => {
    const { table, view } = this.live;
    const only = view?.legal.length === 1 ? view.legal[0]! : null;
    return settings.forced && table && only && this.asked && isQuiet(table.game, only) ? only : null;
  });
  private held = $state.raw<LegalAction | null>(null);
  private since = 0;
  private least = 0;
  private answered: View | null = null;

  /** `calm` means that nothing else goes on, such as a replay. Create it during component setup. */
  constructor(
    private live: LiveTable,
    private calm: () => boolean,
  ) {
    $effect.pre(() => {
      if (!this.live.view) return;
      this.since = performance.now();
      this.least = leastWait(untrack(() => this.live.table!));
      return () => (this.held = null);
    });
    $effect(() => {
      const action = this.held ?? (this.calm() && !this.live.busy ? this.forced : null);
      const { view } = this.live;
      if (!action || view === this.answered) return;
      const timer = setTimeout(() => {
        this.answered = view; // once: do not retry a refused move forever
        this.held = null;
        this.live.play(action);
      }, this.left);
      return () => clearTimeout(timer);
    });
  }

  /** Whether this person's seat is to act. */
  get asked(): boolean {
    const { table, view, seat } = this.live;
    const standin = table?.seats.find((one) => one.seat === seat)?.standin ?? false;
    return table?.status === 'running' && view !== null && seat !== null && view.to_act === seat && !standin;
  }

  /** An answer is on its way. */
  get busy(): boolean {
    return this.forced !== null || this.held !== null;
  }

  play(action: LegalAction): void {
    const { table } = this.live;
    const tells = settings.forced && table && !isAlone(table) && isQuiet(table.game, action);
    if (tells && this.left > 0) this.held = action;
    else this.live.play(action);
  }

  /** Milliseconds before nothing is said. */
  private get left(): number {
    return this.since + this.least - performance.now();
  }
}
