/** Replay: positions of a match, fetched on demand. */
import { api } from '../api/rest';
import type { PositionInfo } from '../api/types';

/** Whose knowledge is shown: a seat's, a spectator's (null), or everybody's. */
export type Eyes = number | null | 'open';

export class Replay {
  position = $state.raw<PositionInfo | null>(null);
  ply = $state(0);
  eyes = $state<Eyes>(null);
  problem = $state('');
  private fetched = new Map<string, Promise<PositionInfo>>();

  constructor(
    private id: string,
    private key: string | null,
    /** Number of undos: after one, cached positions may be wrong. */
    private undone: () => number = () => 0,
  ) {}

  /** Shows a position; an answer that comes too late is not shown. */
  async to(ply: number, eyes: Eyes = this.eyes): Promise<void> {
    this.ply = ply;
    this.eyes = eyes;
    try {
      const position = await this.fetch(ply, eyes);
      if (this.ply === ply && this.eyes === eyes) {
        this.position = position;
        this.problem = '';
        if (ply < position.plies) void this.fetch(ply + 1, eyes).catch(() => {}); // the next is likely wanted
      }
    } catch (error) {
      if (this.ply === ply && this.eyes === eyes) this.problem = (error as Error).message;
    }
  }

  private fetch(ply: number, eyes: Eyes): Promise<PositionInfo> {
    const name = `${this.undone()} ${ply} ${eyes}`;
    let found = this.fetched.get(name);
    if (!found) {
      const asked = eyes === 'open' ? { open: true } : { seat: eyes };
      found = api.position(this.id, ply, { ...asked, key: this.key });
      found.catch(() => this.fetched.delete(name));
      this.fetched.set(name, found);
    }
    return found;
  }
}
