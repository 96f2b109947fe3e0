/** Tips in a person's first matches: one when something new happens, each once per device. */
import { api } from '../api/rest';
import type { LogEntry, Remark, View } from '../api/types';
import { keep, kept } from './kept';
import { settings } from './settings.svelte';

interface Happening {
  kind: string;
  seat?: number;
}

export class Coaching {
  remarks = $state.raw<Remark[]>([]);
  remark = $state.raw<Remark | null>(null);
  private game: string | undefined;

  /** Fetches a game's tips once, for players who want them. */
  load(game: string | undefined, playing: boolean): void {
    if (!game || !playing || !settings.tips || this.game === game) return;
    this.game = game;
    api.remarks(game).then(
      (remarks) => (this.remarks = remarks),
      () => (this.game = undefined),
    );
  }

  /** Handles a new view; `yours` says whether it is the person's turn. */
  hear(view: View, news: LogEntry[], yours: boolean): void {
    if (!settings.tips) return this.dismiss();
    const { phase } = view.table as { phase?: string };
    const events = news.flatMap((entry) => entry.events) as Happening[];
    const happens = ({ event, mine }: Remark): boolean =>
      events.some(({ kind, seat }) => kind === event && (mine === null || (seat === view.seat) === mine));
    const heard = kept<string[]>('remarks', []);
    const fresh = this.remarks.find(
      (one) => !heard.includes(this.key(one)) && (one.event ? happens(one) : yours && one.phase === phase),
    );
    if (!fresh) return;
    keep('remarks', [...heard, this.key(fresh)]);
    this.remark = fresh;
  }

  dismiss(): void {
    this.remark = null;
  }

  private key({ event, phase, mine }: Remark): string {
    return [this.game, event ?? phase, mine].join(' ');
  }
}
