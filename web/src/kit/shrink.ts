/**
 * Makes the letters of a text smaller where it has more lines than there is room: `{@attach shrink}`, with a
 * `max-height` and a `font-size` that is multiplied by `--shrunk`. What is beside it stays where it is.
 */
import type { Attachment } from 'svelte/attachments';

const SIZES = [1, 0.92, 0.85, 0.78, 0.72];

export const shrink: Attachment<HTMLElement> = (text) => {
  const refit = (): void => {
    for (const size of SIZES) {
      text.style.setProperty('--shrunk', String(size));
      if (text.scrollHeight <= text.clientHeight + 1) return;
    }
  };
  const resized = new ResizeObserver(refit);
  const changed = new MutationObserver(refit);
  resized.observe(text);
  changed.observe(text, { childList: true, characterData: true, subtree: true });
  return () => {
    resized.disconnect();
    changed.disconnect();
  };
};
