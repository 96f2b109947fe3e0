/** Under which address others reach this server: somebody who plays at its own machine sees one that only works there. */
import { api } from '../api/rest';

/** Tells whether an address leads nowhere but to the device it is used on. */
export function isOwn(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname);
}

export class Network {
  /** The address to give to friends. */
  origin = $state(location.origin);
  /** It works for others, does not, or may not: the address in the network could not be found. */
  reach = $state<'asking' | 'here' | 'closed' | 'unknown'>('here');
  /** What opens the server to the network, where it is closed. */
  command = $state<string | null>(null);
  private asked = false;

  constructor(private hostname = location.hostname) {
    if (isOwn(hostname)) this.reach = 'asking';
  }

  /** Tells whether a code with the address is of use to another device. */
  get scannable(): boolean {
    return this.reach === 'here' || this.reach === 'unknown';
  }

  /** Asks the server, once, where that is needed. */
  async look(): Promise<void> {
    if (this.asked || !isOwn(this.hostname)) return;
    this.asked = true;
    try {
      const { open, address, command } = await api.network();
      this.origin = address ?? location.origin;
      this.command = command;
      this.reach = address ? 'here' : open ? 'unknown' : 'closed';
    } catch {
      this.asked = false;
      this.reach = 'unknown';
    }
  }
}

export const network = new Network();
