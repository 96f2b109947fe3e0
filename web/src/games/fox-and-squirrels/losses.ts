/** The piles that others have claimed from a seat. */
import type { LossesOf } from '../../kit/board';
import type { Event } from './view';

const lossesOf: LossesOf<Event> = (log, seat, names) =>
  log
    .flatMap((entry) => entry.events)
    .flatMap((event) =>
      event.kind === 'pile-claimed' && event.owner === seat ? [`${names[event.seat]} claimed your ${event.meld}`] : [],
    );

export default lossesOf;
