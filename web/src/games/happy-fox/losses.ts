/** What a grab of another cost a seat. */
import type { LossesOf } from '../../kit/board';
import { counted, type Event } from './view';

const lossesOf: LossesOf<Event> = (log, seat, names) => {
  const lost: string[] = [];
  let geese = 0; // of this seat, in the grab that is on
  for (const event of log.flatMap((entry) => entry.events)) {
    if (event.kind === 'fox-sent') geese = 0;
    else if (event.kind === 'goose-found' && event.owner === seat && event.seat !== seat) geese += 1;
    else if (event.kind === 'grab-ended' && event.seat !== seat && geese) {
      lost.push(`${names[event.seat]} grabbed ${counted(geese, 'goose')} of yours`);
    }
  }
  return lost;
};

export default lossesOf;
