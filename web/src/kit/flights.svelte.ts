/**
 * Things that fly over a board because of what happened, forced and automatic effects too: `{@attach flights(…)}`
 * on the board. Places are named by `data-place`. One thing after another, and nothing where motion is not wanted.
 */
import { untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { LogEntry, View } from '../api/types';
import { placed, still } from './motion';

export interface Flight {
  /** Names of places. */
  from: string;
  to: string;
  /** A card, if not a token. */
  card?: boolean;
  /** A CSS colour: of a card's back, or of a token. */
  tone: string;
  count?: number;
}

const TIME = 260; // milliseconds
const APART = 70; // milliseconds from one to the next
const MOST = 10; // at once: more would keep people waiting

/** Lets what `of` makes of each event fly, for every view that follows on the one before. */
export function flights<Table, Event>(
  shown: () => { view: View<Table>; log: readonly LogEntry<Event>[] },
  of: (event: Event) => Flight[],
): Attachment<HTMLElement> {
  return (board) => {
    let ply: number | null = null;
    $effect(() => {
      const { view, log } = shown();
      untrack(() => {
        const before = ply;
        ply = view.ply;
        if (before !== view.ply - log.length || still() || document.hidden) return;
        const all = log.flatMap(({ events }) => (events as Event[]).flatMap(of));
        const each = all.flatMap((one) => Array<Flight>(Math.max(0, one.count ?? 1)).fill(one));
        // All places are read before anything is drawn: to draw in between would lay the page out each time.
        const routes = each.slice(0, MOST).map((one) => routeOf(board, one));
        routes.forEach((route, i) => route && fly(route, each[i]!, i * APART));
      });
    });
  };
}

type Route = [start: DOMRect, end: DOMRect];

function routeOf(board: HTMLElement, { from, to }: Flight): Route | null {
  const [start, end] = [from, to].map((name) => board.querySelector(placed(name))?.getBoundingClientRect());
  return start?.width && end?.width ? [start, end] : null; // null: it is not to be seen on this screen
}

function fly([start, end]: Route, { card, tone }: Flight, delay: number): void {
  const ghost = document.createElement('span');
  ghost.className = card ? 'flying card-shaped' : 'flying';
  ghost.style.background = tone;
  ghost.ariaHidden = 'true';
  document.body.append(ghost);
  const at = (box: DOMRect): string => `translate(${box.left + box.width / 2}px, ${box.top + box.height / 2}px) translate(-50%, -50%)`;
  const motion = ghost.animate(
    [
      { transform: `${at(start)} scale(0.7)`, opacity: 0 },
      { opacity: 1, offset: 0.2 },
      { opacity: 1, offset: 0.8 },
      { transform: at(end), opacity: 0 },
    ],
    { duration: TIME + 120, delay, easing: 'cubic-bezier(0.2, 0.7, 0.3, 1)', fill: 'both' },
  );
  void motion.finished.catch(() => {}).then(() => ghost.remove());
}
