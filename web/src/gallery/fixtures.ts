/** Positions from real play, for looking at boards without a server. */
import type { LogEntry, SeatInfo, View } from '../api/types';

export interface Fixture {
  name: string;
  view: View<any, any>;
  log: LogEntry<any>[];
}

const files = import.meta.glob<Fixture[]>('../../fixtures/*.json', { eager: true, import: 'default' });

export const fixtures: Record<string, Fixture[]> = Object.fromEntries(
  Object.entries(files).map(([path, list]) => [path.split('/').pop()!.replace('.json', ''), list]),
);

/** Seats as the server would tell of them: the viewer is a person, the others are bots. */
export function seatsOf(view: View): SeatInfo[] {
  return view.names.map((name, seat) => ({
    seat,
    kind: seat === view.seat ? 'person' : 'bot',
    name,
    level: seat === view.seat ? null : 3,
    standin: false,
    resigned: false,
    mine: seat === view.seat,
    here: true,
    replace_in: null,
    voice: null,
  }));
}
