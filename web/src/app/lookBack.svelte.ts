/** Looking back at a table: whether it is on, whose views there are, and the link to a position. */
import { untrack } from 'svelte';
import type { LiveTable } from '../api/live.svelte';
import { Replay, type Eyes } from './replay.svelte';
import { go, here } from './router.svelte';
import { possessive, seatName } from './words';

export class LookBack {
  on = $state(false);
  readonly replay: Replay;
  private linked = false; // a shared link leads to its position, once

  constructor(
    private live: LiveTable,
    private key: string | null,
  ) {
    this.replay = new Replay(live.id, key, () => live.table?.undone ?? 0);
  }

  private get over(): boolean {
    return this.live.table?.status === 'over';
  }

  /** The available views, in words: all after the match, before that the person's own. */
  get eyes(): [Eyes, string][] {
    const { table, seat } = this.live;
    if (!table) return [];
    if (!this.over) return [[seat, seat === null ? 'Spectator’s view' : 'Your view']];
    const seats = table.seats.map((one): [Eyes, string] => [one.seat, `${possessive(seatName(table, one.seat))} view`]);
    return [['open', 'Everything revealed'], ...seats, [null, 'Spectator’s view']];
  }

  /** Shows a position, from the same view unless given another. */
  to = (ply: number, through?: Eyes): void => {
    const chosen = through !== undefined ? through : this.over && this.on ? this.replay.eyes : this.eyes[0]![0];
    this.on = true;
    void this.replay.to(ply, chosen);
    if (this.over) go(`${here.path}${this.share(ply)}`, { replace: true });
  };

  /** Shows the present again. */
  end = (): void => {
    this.on = false;
    if (this.over) go(`${here.path}${this.share(null)}`, { replace: true });
  };

  /** Goes to the position that the address names, once the match is known to be over. */
  follow(): void {
    const ply = new URLSearchParams(here.search).get('ply');
    if (this.linked || !this.over) return;
    this.linked = true;
    untrack(() => {
      if (ply !== null && Number(ply) <= this.live.table!.ply) this.to(Number(ply));
    });
  }

  private share(ply: number | null): string {
    const values = new URLSearchParams(this.key ? { key: this.key } : {});
    if (ply !== null) values.set('ply', String(ply));
    return values.size ? `?${values}` : '';
  }
}
