/** The address for others: on the server's own machine, the page's address works only there. */
import { api } from '../api/rest';

/** Returns whether an address works only on its own device. */
export function isOwn(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname);
}

export class Network {
  /** The address to give to friends. */
  origin = $state(location.origin);
  /** It works for others, does not, or may not: the address in the network could not be found. */
  reach = $state<'asking' | 'here' | 'closed' | 'unknown'>('here');
  /** The command that opens a closed server to the network. */
  command = $state<string | null>(null);
  private asked = false;

  constructor(private hostname = location.hostname) {
    if (isOwn(hostname)) this.reach = 'asking';
  }

  /** Returns whether a QR code of the address is useful to other devices. */
  get scannable(): boolean {
    return this.reach === 'here' || this.reach === 'unknown';
  }

  /** Queries the server once, if needed. */
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
