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
  /** px of the screen, from the upper left corner of `inside` */
  x: number;
  y: number;
}

/** Finds the parts where they are laid out, wherever they are drawn while they glide. */
function partsOf(sheet: HTMLElement, scale: number): Part[] {
  const within = (inside: HTMLElement): Part[] =>
    ([...inside.children] as HTMLElement[])
      .filter((element) => element.offsetWidth > 0)
      .map((element) => {
        const own = element.offsetParent === inside;
        const x = element.offsetLeft + (own ? inside.clientLeft : -inside.offsetLeft);
        const y = element.offsetTop + (own ? inside.clientTop : -inside.offsetTop);
        return { element, inside, x: x * scale, y: y * scale };
      });
  const boards = within(sheet);
  const blocks = boards.flatMap(({ element }) => within(element));
  return [...boards, ...blocks, ...blocks.flatMap(({ element }) => within(element))];
}

/** Remembers where the parts of a sheet are; `settle` lets those glide that are elsewhere now. */
export class Settling {
  private places = new Map<HTMLElement, Part>();
  private gliding = new WeakMap<HTMLElement, Animation>();

  constructor(private sheet: HTMLElement) {}

  /** `scale` is how much larger than laid out the sheet is drawn; `jump` takes the new places as they are. */
  settle(scale: number, jump: boolean): void {
    const parts = partsOf(this.sheet, scale);
    const before = this.places;
    this.places = new Map(parts.map((part) => [part.element, part]));
    if (jump || still() || document.hidden) return;
    const moved = parts.flatMap(({ element, inside, x, y }) => {
      const was = before.get(element);
      if (!was || was.inside !== inside) return [];
      const [right, down] = [was.x - x, was.y - y];
      return Math.abs(right) + Math.abs(down) < LEAST ? [] : [{ element, right, down }];
    });
    for (const { element } of moved) this.gliding.get(element)?.cancel();
    // All is read before anything moves: to read in between would lay the page out each time.
    const free = moved.filter(({ element }) => {
      const { position, translate } = getComputedStyle(element);
      return position !== 'sticky' && translate === 'none'; // else it has places of its own
    });
    for (const { element, right, down } of free) {
      const from = `${right / scale}px ${down / scale}px`;
      const motion = element.animate([{ translate: from }, { translate: '0 0' }], { duration: TIME, easing: 'cubic-bezier(0.2, 0.7, 0.3, 1)' });
      this.gliding.set(element, motion);
    }
  }
}
