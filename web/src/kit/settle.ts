/**
 * Lets the parts of a board glide to their new places where something between them has grown: what one looks at
 * never jumps away. Parts are the board's children, and theirs.
 */
import { still } from './motion';

const TIME = 240; // milliseconds
const LEAST = 2; // px; what moves less is left alone

interface Part {
  element: HTMLElement;
  inside: HTMLElement;
  x: number;
  y: number;
}

function partsOf(sheet: HTMLElement): Part[] {
  const within = (inside: HTMLElement): Part[] => {
    const frame = inside.getBoundingClientRect();
    return ([...inside.children] as HTMLElement[])
      .filter((element) => element.offsetWidth > 0)
      .map((element) => {
        const { left, top } = element.getBoundingClientRect();
        return { element, inside, x: left - frame.left, y: top - frame.top };
      });
  };
  const boards = within(sheet);
  const blocks = boards.flatMap(({ element }) => within(element));
  return [...boards, ...blocks, ...blocks.flatMap(({ element }) => within(element))];
}

/** Remembers where the parts of a sheet are; `settle` lets those glide that are elsewhere now. */
export class Settling {
  private places = new Map<HTMLElement, Part>();
  private running = new Set<Animation>();

  constructor(private sheet: HTMLElement) {}

  /** `scale` is how much larger than laid out the sheet is drawn; `jump` takes the new places as they are. */
  settle(scale: number, jump: boolean): void {
    for (const one of this.running) one.cancel();
    this.running.clear();
    const parts = partsOf(this.sheet);
    const before = this.places;
    this.places = new Map(parts.map((part) => [part.element, part]));
    if (jump || still() || document.hidden) return;
    for (const { element, inside, x, y } of parts) {
      const was = before.get(element);
      if (!was || was.inside !== inside || Math.abs(was.x - x) + Math.abs(was.y - y) < LEAST) continue;
      const { position, translate } = getComputedStyle(element);
      if (position === 'sticky' || translate !== 'none') continue; // places of its own
      const from = `${(was.x - x) / scale}px ${(was.y - y) / scale}px`;
      const motion = element.animate([{ translate: from }, { translate: '0 0' }], { duration: TIME, easing: 'cubic-bezier(0.2, 0.7, 0.3, 1)' });
      this.running.add(motion);
      void motion.finished.catch(() => {}).then(() => this.running.delete(motion));
    }
  }
}
