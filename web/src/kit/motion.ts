/** How things move: one place for times and curves, all of it a fade where motion is not wanted. */
import { cubicOut } from 'svelte/easing';
import { fade, type TransitionConfig } from 'svelte/transition';
import { flip, type AnimationConfig } from 'svelte/animate';

/** Tells whether the person asked for less motion. */
export function still(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Lets keyed elements of one list glide to their new places: `animate:glide`. */
export function glide(node: Element, places: { from: DOMRect; to: DOMRect }): AnimationConfig {
  if (still()) return { duration: 0 };
  return flip(node, places, { duration: 220, easing: cubicOut });
}

/** Selects a place of a board by the name that its `data-place` gives it. */
export function placed(name: string): string {
  return `[data-place="${name}"]`;
}

type Flights = Map<unknown, Element>;
const leaving: Flights = new Map();
const coming: Flights = new Map();

/** Waits for the other end of a flight, which is drawn in the same moment, or comes and goes without one. */
function flight(mine: Flights, theirs: Flights, node: Element, key: unknown): () => TransitionConfig {
  mine.set(key, node);
  return () => {
    const other = theirs.get(key);
    if (!other) {
      mine.delete(key);
      return appear(node);
    }
    theirs.delete(key);
    return fly(other, node);
  };
}

/** Carries an element from where the other one is drawn; the page may have scaled the board they lie on. */
function fly(from: Element, node: Element): TransitionConfig {
  const [start, end] = [from.getBoundingClientRect(), node.getBoundingClientRect()];
  const scale = end.width / (node as HTMLElement).offsetWidth || 1;
  const [x, y] = [(start.left - end.left) / scale, (start.top - end.top) / scale];
  const { opacity, transform } = getComputedStyle(node);
  const own = transform === 'none' ? '' : transform;
  return {
    duration: 240,
    easing: cubicOut,
    css: (t, u) => `
      opacity: ${t * +opacity};
      transform-origin: top left;
      transform: ${own} translate(${u * x}px, ${u * y}px) scale(${t + (u * start.width) / end.width}, ${t + (u * start.height) / end.height})`,
  };
}

/**
 * Lets an element fly from where its key was last drawn: `in:receive={{ key }} out:send={{ key }}`.
 * Keys are shared by the whole board, so a card that leaves a hand arrives in the trick.
 */
export function send(node: Element, { key }: { key: unknown }): TransitionConfig | (() => TransitionConfig) {
  if (still()) return fade(node, { duration: 120 });
  return flight(leaving, coming, node, key);
}

export function receive(node: Element, { key }: { key: unknown }): TransitionConfig | (() => TransitionConfig) {
  if (still()) return fade(node, { duration: 120 });
  return flight(coming, leaving, node, key);
}

/** Lets an element come from another place of its board, or go there: `in:from={'seat 2'} out:from={'discards'}`. */
export function from(node: Element, place: string): TransitionConfig {
  const there = node.closest('.sheet')?.querySelector(placed(place))?.getBoundingClientRect();
  if (still() || !there?.width) return fade(node, { duration: 120 });
  const here = node.getBoundingClientRect();
  const scale = here.width / (node as HTMLElement).offsetWidth || 1;
  const x = (there.x + there.width / 2 - here.x - here.width / 2) / scale;
  const y = (there.y + there.height / 2 - here.y - here.height / 2) / scale;
  return {
    duration: 260,
    easing: cubicOut,
    css: (t, u) => `transform: translate(${x * u}px, ${y * u}px) scale(${0.5 + 0.5 * t}); opacity: ${Math.min(1, 0.3 + 2 * t)}; z-index: 4`,
  };
}

/** Brings in something that comes from nowhere: `in:appear`. */
export function appear(_node: Element, { delay = 0 } = {}): TransitionConfig {
  if (still()) return { duration: 120, delay, css: (t) => `opacity: ${t}` };
  return {
    duration: 220,
    delay,
    easing: cubicOut,
    css: (t) => `opacity: ${t}; transform: translateY(${(1 - t) * -14}px) scale(${0.94 + t * 0.06})`,
  };
}
