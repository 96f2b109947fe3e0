/** What a seat could not keep, or could not use. */
import { counted } from '../../kit/words';
import type { LossesOf } from '../../kit/board';
import { KINDS, type Event } from './view';

const lossesOf: LossesOf<Event> = (log, seat) =>
  log
    .flatMap((entry) => entry.events)
    .flatMap((event) => {
      if (!('seat' in event) || event.seat !== seat) return [];
      if (event.kind === 'bonus-lost') return ['Your bonus brought nothing'];
      if (event.kind !== 'resources-kept') return [];
      const returned = KINDS.reduce((sum, kind) => sum + event.returned[kind], 0);
      return returned ? [`You returned ${counted(returned, 'resource')}`] : [];
    });

export default lossesOf;
