/** What the middle of the table shows of a grab, told by events. */
import type { Entry, Goose, Table } from './view';

export interface Story {
  by: number;
  geese: Goose[];
  victim: number | null; // whose yard the fox is in, or who caught it
  dog: number | null; // the turn of the dog that ended it
  end: 'on' | 'kept' | 'caught' | 'no prey';
  since: number; // actions played since it ended
}

// How many actions later the middle of the table still tells how a grab ended.
const TOLD: Record<Story['end'], number> = { on: Infinity, kept: 4, caught: 4, 'no prey': 2 };

/** Goes on with the story after the actions of `log`; `before` is the table they began at. */
export function follow(
  story: Story | null,
  before: Table | null,
  log: readonly Entry[],
  now: Table,
): Story | null {
  if (now.grab) {
    const { by, geese, victim } = now.grab;
    return { by, geese, victim, dog: null, end: 'on', since: 0 };
  }
  let told = story?.end === 'on' ? null : story;
  let grab = before?.grab ?? null;
  for (const { events } of log) {
    if (told) told = { ...told, since: told.since + 1 };
    for (const event of events) {
      switch (event.kind) {
        case 'fox-sent':
          grab = { by: event.seat, victim: event.prey ?? event.seat, geese: [] };
          if (event.prey === null) {
            told = { by: event.seat, geese: [], victim: null, dog: null, end: 'no prey', since: 0 };
          }
          break;
        case 'goose-found':
          if (grab) {
            const geese = [...grab.geese, { seat: event.owner, turn: event.turn }];
            grab = { ...grab, victim: event.owner, geese };
          }
          break;
        case 'fox-caught':
          told = {
            by: event.seat,
            geese: grab?.geese ?? [],
            victim: event.owner,
            dog: event.turn,
            end: 'caught',
            since: 0,
          };
          break;
        case 'grab-ended':
          if (grab) told = { ...grab, dog: null, end: 'kept', since: 0 };
      }
    }
  }
  return told && told.since < TOLD[told.end] ? told : null;
}
