/** Makes what scrolls a stop for the keyboard, for as long as there is anything to scroll: `{@attach scrollable}`. */
import type { Attachment } from 'svelte/attachments';

export const scrollable: Attachment<HTMLElement> = (node) => {
  const check = (): void => {
    const scrolls = node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1;
    node.tabIndex = scrolls ? 0 : -1;
  };
  const sizes = new ResizeObserver(check);
  sizes.observe(node);
  for (const child of node.children) sizes.observe(child);
  const contents = new MutationObserver(check);
  contents.observe(node, { childList: true, subtree: true });
  check();
  return () => {
    sizes.disconnect();
    contents.disconnect();
  };
};
