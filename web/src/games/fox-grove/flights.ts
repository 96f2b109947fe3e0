/** What flies over the board when something happens. Cards that are played fly by themselves. */
import type { Flight } from '../../kit/flights.svelte';
import { KINDS, type Event, type Kind } from './view';

const BACK = '#2d4a3a';
const TONES: Record<Kind, string> = { wood: '#7d4f2a', nut: '#c9852f', maple: '#c4372a' };
const ANY = '#fbf5e6';
const BERRY = '#5a2a6b';
const OWL = '#8a6a3f';

const goods = (from: string, to: string, stock: Record<Kind, number>): Flight[] =>
  KINDS.map((kind) => ({ from, to, tone: TONES[kind], count: stock[kind] }));

export function flightsOf(event: Event): Flight[] {
  switch (event.kind) {
    case 'cards-exchanged':
      return event.gifts.map(({ seat, to }) => ({ from: `seat ${seat}`, to: to === 'pile' ? 'pile' : `seat ${to}`, card: true, tone: BACK }));
    case 'cards-drawn':
      return [{ from: 'pile', to: `seat ${event.seat}`, card: true, tone: BACK, count: event.count }];
    case 'card-buried':
      return [{ from: `seat ${event.seat}`, to: 'pile', card: true, tone: BACK }];
    case 'resources-taken':
      return [...goods('trick', `seat ${event.seat}`, event.units), { from: 'trick', to: `seat ${event.seat}`, tone: ANY, count: event.units.any }];
    case 'berry-taken':
      return [{ from: 'trick', to: `seat ${event.seat}`, tone: BERRY }];
    case 'owl-taken':
      return [{ from: 'trick', to: `seat ${event.seat}`, tone: OWL }];
    case 'level-reached': {
      const [from, to] = [`seat ${event.seat}`, `house ${event.house}`];
      return [...goods(from, to, event.paid), { from, to, tone: BERRY, count: event.paid.berries }];
    }
    case 'resources-kept':
      return goods(`seat ${event.seat}`, 'trick', event.returned);
    default:
      return [];
  }
}
