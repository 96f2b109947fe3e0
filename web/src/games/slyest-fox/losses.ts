/** What others have cost a seat: a life, cards, its shield. */
import { counted } from '../../kit/words';
import type { LossesOf } from '../../kit/board';
import { NAMES, type Event } from './view';

const lossesOf: LossesOf<Event> = (log, seat, names) =>
  log
    .flatMap((entry) => entry.events)
    .flatMap((event) => {
      switch (event.kind) {
        case 'attack-ended':
          if (event.target !== seat || event.result !== 'succeeded') return [];
          return [`${names[event.by]}’s ${event.type} cost you a life`];
        case 'cards-taken': {
          if (event.loser !== seat) return [];
          const what = event.cards?.map((kind) => NAMES[kind]).join(', ') ?? counted(event.count, 'card');
          return [`${names[event.taker]} took ${what} from you`];
        }
        case 'protection-ended':
          return event.seat === seat ? ['You can be attacked again'] : [];
        case 'hands-laid-down':
          return event.seats.includes(seat) ? ['Your hand was laid down'] : [];
        default:
          return [];
      }
    });

export default lossesOf;
