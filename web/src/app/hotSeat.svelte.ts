/** One device, several people: nobody's cards are shown before that person says so. */
import type { LiveTable } from '../api/live.svelte';

export class HotSeat {
  private shown = $state<number | null>(null);

  constructor(private live: LiveTable) {}

  /** The seat of the next person at the device; null if no handover is pending. */
  get next(): number | null {
    const { table, seat } = this.live;
    const mine = table?.seats.filter((one) => one.mine) ?? [];
    if (!table || mine.length < 2 || table.status !== 'running') return null;
    const asked = mine.find((one) => one.seat === table.to_act && !one.standin);
    const wanted = asked?.seat ?? this.shown ?? mine[0]!.seat;
    return wanted === this.shown && seat === this.shown ? null : wanted;
  }

  /** Shows the next person's cards. */
  handOver(): void {
    const { next } = this;
    this.shown = next;
    if (next !== null && this.live.seat !== next) this.live.look(next);
  }
}
