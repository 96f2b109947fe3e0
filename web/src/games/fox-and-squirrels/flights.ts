/** What flies over the board when something happens. Cards that are drawn, laid or discarded fly by themselves. */
import type { Flight } from '../../kit/flights.svelte';
import type { Event } from './view';

const BACK = '#7a3b1d';
const ACORN = '#c98a3c';
const FEW = 3; // of a shuffle, to stand for all

export function flightsOf(event: Event): Flight[] {
  switch (event.kind) {
    case 'fox-drawn':
      return [
        { from: 'deck', to: 'discards', card: true, tone: BACK },
        { from: event.heap ? 'heap' : `seat ${event.seat}`, to: 'discards', tone: ACORN, count: event.acorns },
      ];
    case 'deck-reformed':
      return [{ from: 'discards', to: 'deck', card: true, tone: BACK, count: FEW }];
    case 'foxes-hidden':
      return [{ from: `seat ${event.seat}`, to: 'deck', card: true, tone: BACK, count: event.count }];
    case 'hand-dealt':
      return [{ from: 'deck', to: `seat ${event.seat}`, card: true, tone: BACK, count: 2 }];
    case 'discard-begun':
      return [{ from: 'deck', to: 'discards', card: true, tone: BACK }];
    case 'pile-laid':
    case 'pile-claimed':
      return [{ from: 'deck', to: `seat ${event.seat}`, tone: ACORN, count: event.acorns }];
    default:
      return [];
  }
}
