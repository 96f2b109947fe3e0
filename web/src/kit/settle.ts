/**
 * Lets the parts of a board glide to their new places where something between them has grown: what one looks at
 * never jumps away. Parts are the board's children, and theirs.
 */
import { still } from './motion';

const TIME = 240; // milliseconds
const DEEP = 4; // layers of parts, the board being the first
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
  // What has no box of its own (`display: contents`) is as good as not there.
  const boxes = (element: HTMLElement): HTMLElement[] =>
    ([...element.children] as HTMLElement[]).flatMap((child) => {
      if (child.offsetWidth > 0) return [child];
      return child.children.length && getComputedStyle(child).display === 'contents' ? boxes(child) : [];
    });
  const within = (inside: HTMLElement): Part[] =>
    boxes(inside)
      .map((element) => {
        const own = element.offsetParent === inside;
        const x = element.offsetLeft + (own ? inside.clientLeft : -inside.offsetLeft);
        const y = element.offsetTop + (own ? inside.clientTop : -inside.offsetTop);
        return { element, inside, x: x * scale, y: y * scale };
      });
  const parts: Part[] = [];
  let layer = within(sheet);
  for (let depth = 1; depth <= DEEP; depth++) {
    parts.push(...layer);
    layer = layer.flatMap(({ element }) => within(element));
  }
  return parts;
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
    // All is read before anything moves: to read in between would lay the page out each time. What still glides goes
    // on from where it is seen.
    const free = moved.flatMap(({ element, right, down }) => {
      const { position, translate } = getComputedStyle(element);
      const glides = this.gliding.get(element)?.playState === 'running';
      if (position === 'sticky' || (translate !== 'none' && !glides)) return []; // else it has places of its own
      const [x = 0, y = 0] = translate === 'none' ? [] : translate.split(' ').map(parseFloat);
      return [{ element, right: right + x * scale, down: down + y * scale }];
    });
    for (const { element } of moved) this.gliding.get(element)?.cancel();
    for (const { element, right, down } of free) {
      const from = `${right / scale}px ${down / scale}px`;
      const motion = element.animate([{ translate: from }, { translate: '0 0' }], { duration: TIME, easing: 'cubic-bezier(0.2, 0.7, 0.3, 1)' });
      this.gliding.set(element, motion);
    }
  }
}
