import { tick } from 'svelte';
import type { Attachment } from 'svelte/attachments';

/**
 * Lets somebody who plays by keyboard go on where the next decision is made: when a control that was
 * pressed has gone (`changed` tells of it), the first there is of `places` gets the focus.
 */
export function carryOn(places: string[], changed: () => unknown): Attachment<HTMLElement> {
  return (root) => {
    let keys = false;
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'Enter' || event.key === ' ') keys = true;
    };
    const point = (): void => {
      keys = false;
    };
    root.addEventListener('keydown', press);
    root.addEventListener('pointerdown', point);

    $effect(() => {
      changed();
      if (!keys) return;
      void tick().then(() => {
        // Whoever has gone elsewhere meanwhile, to the log or the chat, stays there.
        if (!document.activeElement?.contains(root)) return;
        for (const place of places) {
          const next = root.querySelector<HTMLElement>(place);
          if (!next) continue;
          next.focus();
          return;
        }
      });
    });

    return () => {
      root.removeEventListener('keydown', press);
      root.removeEventListener('pointerdown', point);
    };
  };
}
