/** What flies over the board when something happens. Cards that leave a row fly by themselves. */
import type { Flight } from '../../kit/flights.svelte';
import { seatLook } from '../../kit/seats';
import type { Event } from './view';

export function flightsOf(event: Event): Flight[] {
  switch (event.kind) {
    case 'cards-drawn':
      return [{ from: `pile ${event.seat}`, to: `seat ${event.seat}`, card: true, tone: seatLook(event.seat).colour, count: event.count }];
    case 'fox-sent':
      return [{ from: `seat ${event.seat}`, to: event.prey === null ? `won ${event.seat}` : 'stage', card: true, tone: seatLook(event.seat).colour }];
    case 'fox-caught':
      return [{ from: 'stage', to: `won ${event.owner}`, card: true, tone: seatLook(event.seat).colour }];
    case 'grab-ended':
      return [{ from: 'stage', to: `won ${event.seat}`, card: true, tone: seatLook(event.seat).colour }];
    default:
      return [];
  }
}
