/** The server's games; polled while their rules are being compiled. */
import { api } from '../api/rest';
import type { GameInfo } from '../api/types';

class Catalogue {
  games = $state.raw<GameInfo[]>([]);
  state = $state<'loading' | 'here' | 'away'>('loading');
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Queries the server; repeats while something is not ready or the server is away. */
  async load(): Promise<void> {
    clearTimeout(this.timer);
    try {
      this.games = await api.games();
      this.state = 'here';
    } catch {
      if (this.state === 'loading' || this.games.length === 0) this.state = 'away';
    }
    if (this.state === 'away' || this.games.some((game) => game.ready < 1)) {
      this.timer = setTimeout(() => this.load(), 1000);
    }
  }

  find(name: string): GameInfo | undefined {
    return this.games.find((game) => game.name === name);
  }
}

export const catalogue = new Catalogue();
