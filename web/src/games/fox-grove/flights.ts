/** Where cards of other seats come from, and where a finished trick goes. */
import { cubicOut } from 'svelte/easing';
import type { TransitionConfig } from 'svelte/transition';
import { still } from '../../kit/motion';

const TIME = 260;

/** Lets an element come from another one of the board, or go there: `in:from={'[data-seat="2"]'}`. */
export function from(node: Element, place: string): TransitionConfig {
  const there = node.closest('.grove')?.querySelector(place)?.getBoundingClientRect();
  if (still() || !there?.width) return { duration: 120, css: (t) => `opacity: ${t}` };
  const here = node.getBoundingClientRect();
  const x = there.x + there.width / 2 - here.x - here.width / 2;
  const y = there.y + there.height / 2 - here.y - here.height / 2;
  return {
    duration: TIME,
    easing: cubicOut,
    css: (t, u) => `transform: translate(${x * u}px, ${y * u}px) scale(${0.4 + 0.6 * t}); opacity: ${Math.min(1, 3 * t)}`,
  };
}
