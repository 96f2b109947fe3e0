/** What flies over the board when something happens: cubes, and sheep that are lost. Tokens fly by themselves. */
import type { Flight } from '../../kit/flights.svelte';
import type { Event } from './view';

const CUBE = '#4478bd';
const SHEEP = '#f4efe4';

export function flightsOf(event: Event): Flight[] {
  switch (event.kind) {
    case 'wolf-chased':
      return [{ from: `seat ${event.seat}`, to: 'field', tone: CUBE }];
    case 'token-bought':
      return [{ from: `seat ${event.seat}`, to: 'field', tone: CUBE, count: event.cubes }];
    case 'wolf-taken':
    case 'cubes-stolen':
      return [{ from: 'field', to: `seat ${event.seat}`, tone: CUBE, count: event.cubes }];
    case 'sheep-lost':
      return [{ from: `slot ${event.seat} ${event.slot}`, to: 'field', tone: SHEEP }];
    default:
      return [];
  }
}
