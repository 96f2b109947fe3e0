/** Finds what a coach speaks of: things on the board, by the names that screen readers say. */

function nameOf(element: HTMLElement): string {
  return (element.getAttribute('aria-label') ?? element.textContent ?? '').replace(/\s+/g, ' ').trim();
}

// What is not there to be seen, or lists moves in words beside the board.
const HIDDEN = '[inert], [aria-hidden="true"], .unseen, .bar';

function isShown(element: HTMLElement): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && !element.matches('button[disabled]') && !element.closest(HIDDEN);
}

function canBePressed(element: HTMLElement): boolean {
  return element instanceof HTMLButtonElement && !element.disabled && element.getAttribute('aria-disabled') !== 'true';
}

/**
 * Returns the first thing in sight that has one of `names`, in their order, or whose own begins with
 * it; of several with one name, one that can be pressed.
 */
export function pointed(root: ParentNode, names: readonly string[]): HTMLElement | null {
  const all = [...root.querySelectorAll<HTMLElement>('[aria-label], button')].map((element) => ({ element, name: nameOf(element) }));
  for (const wanted of names) {
    for (const fits of [(name: string) => name === wanted, (name: string) => name.startsWith(wanted)]) {
      const found = all.filter(({ element, name }) => fits(name) && isShown(element)).map(({ element }) => element);
      const control = found.find(canBePressed);
      if (found.length) return control ?? found[0]!;
    }
  }
  return null;
}
