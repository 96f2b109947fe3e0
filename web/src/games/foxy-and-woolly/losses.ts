/** Sheep that wolves have taken from a seat, and what it could not avoid. */
import type { LossesOf } from '../../kit/board';
import type { Event } from './view';

const lossesOf: LossesOf<Event> = (log, seat) =>
  log
    .flatMap((entry) => entry.events)
    .flatMap((event) => {
      if (event.kind === 'sheep-lost' && event.seat === seat) return [`A wolf took your sheep in slot ${event.slot}`];
      if (event.kind === 'wolf-taken' && event.seat === seat && event.forced) return ['No cube to chase it: you took the wolf'];
      return [];
    });

export default lossesOf;
