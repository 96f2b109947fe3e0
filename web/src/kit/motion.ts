/** How things move: one place for times and curves, all of it a fade where motion is not wanted. */
import { cubicOut } from 'svelte/easing';
import { crossfade, fade, type TransitionConfig } from 'svelte/transition';
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

const [rawSend, rawReceive] = crossfade({
  duration: 240,
  easing: cubicOut,
  fallback: (node) => (still() ? fade(node, { duration: 120 }) : appear(node)),
});

/**
 * Lets an element fly from where its key was last drawn: `in:receive={{ key }} out:send={{ key }}`.
 * Keys are shared by the whole board, so a card that leaves a hand arrives in the trick.
 */
export function send(node: Element, { key }: { key: unknown }): TransitionConfig | (() => TransitionConfig) {
  if (still()) return fade(node, { duration: 120 });
  return rawSend(node, { key }) as () => TransitionConfig;
}

export function receive(node: Element, { key }: { key: unknown }): TransitionConfig | (() => TransitionConfig) {
  if (still()) return fade(node, { duration: 120 });
  return rawReceive(node, { key }) as () => TransitionConfig;
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
