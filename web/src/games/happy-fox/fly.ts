/** Cards of Happy Fox fly from hands into rows, and from rows onto win piles. */

import { cubicOut } from 'svelte/easing';
import type { TransitionConfig } from 'svelte/transition';
import { still } from '../../kit/motion';

/** Moves an element from (or to) the place that `selector` finds on the board. */
export function fly(
  node: Element,
  { place, delay = 0 }: { place: string; delay?: number },
): TransitionConfig {
  const fade = (t: number): string => `opacity: ${t}`;
  const end = node.closest('.board')?.querySelector(place);
  if (still() || !end) return { duration: 120, delay, css: fade };
  const here = node.getBoundingClientRect();
  const there = end.getBoundingClientRect();
  const x = there.left + there.width / 2 - here.left - here.width / 2;
  const y = there.top + there.height / 2 - here.top - here.height / 2;
  return {
    duration: 260,
    delay,
    easing: cubicOut,
    css: (t, u) =>
      `transform: translate(${x * u}px, ${y * u}px) scale(${0.6 + 0.4 * t}); opacity: ${Math.min(1, 0.3 + t)}; z-index: 4`,
  };
}
