/**
 * Dragging a card onto a place: `{@attach draggable({...})}` on an element around the card.
 *
 * The card itself stays where it is, for hands clip what leaves them; a picture of it follows the
 * pointer. Pressing without moving is left to the card's button.
 */
import type { Attachment } from 'svelte/attachments';

export interface Drag {
  /** A selector of the places that take the card; the one under the pointer gets `data-over`. */
  onto: string;
  ondrop: (place: HTMLElement) => void;
  /** Told when dragging begins and ends, so that the board can light the places. */
  ondrag?: (dragging: boolean) => void;
}

const FAR = 8; // px; less is a press

export function draggable(drag: Drag | null): Attachment<HTMLElement> {
  return (node) => {
    if (!drag) return;
    const { onto, ondrop, ondrag } = drag;
    let start: PointerEvent | null = null;
    let picture: HTMLElement | null = null;
    let place: HTMLElement | null = null;

    const over = (found: HTMLElement | null): void => {
      if (found === place) return;
      place?.removeAttribute('data-over');
      place = found;
      place?.setAttribute('data-over', '');
    };

    const lift = (): void => {
      const card = node.firstElementChild as HTMLElement;
      const { left, top, width, height } = card.getBoundingClientRect();
      picture = card.cloneNode(true) as HTMLElement;
      picture.inert = true;
      picture.style.cssText = `--card-w: ${width}px; position: fixed; left: ${left}px; top: ${top}px;
        width: ${width}px; height: ${height}px; z-index: 50; pointer-events: none; transition: none`;
      document.body.append(picture);
      node.style.opacity = '0.35';
      ondrag?.(true);
    };

    const end = (): void => {
      const lifted = picture !== null;
      picture?.remove();
      node.style.opacity = '';
      over(null);
      start = picture = null;
      if (lifted) ondrag?.(false);
    };

    // The click that follows a drag is none.
    const swallow = (): void => {
      const stop = (event: Event): void => {
        event.stopPropagation();
        event.preventDefault();
      };
      node.addEventListener('click', stop, { capture: true, once: true });
      setTimeout(() => node.removeEventListener('click', stop, { capture: true }));
    };

    const down = (event: PointerEvent): void => {
      if (event.button === 0 && event.isPrimary) start = event;
    };

    const move = (event: PointerEvent): void => {
      if (!start || event.pointerId !== start.pointerId) return;
      const x = event.clientX - start.clientX;
      const y = event.clientY - start.clientY;
      if (!picture) {
        if (Math.hypot(x, y) < FAR) return;
        lift();
        node.setPointerCapture(event.pointerId);
      }
      picture!.style.transform = `translate(${x}px, ${y}px) rotate(2deg)`;
      over(document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>(onto) ?? null);
    };

    const up = (event: PointerEvent): void => {
      if (!start || event.pointerId !== start.pointerId) return;
      const found = place;
      if (picture) swallow();
      end();
      if (found) ondrop(found);
    };

    const still = (event: Event): void => event.preventDefault();
    // Sideways a hand scrolls, upwards a card is dragged.
    for (const part of [node, ...node.querySelectorAll<HTMLElement>('button')]) {
      part.style.touchAction = 'pan-x';
    }
    node.addEventListener('pointerdown', down);
    node.addEventListener('pointermove', move);
    node.addEventListener('pointerup', up);
    node.addEventListener('pointercancel', end);
    node.addEventListener('dragstart', still);
    return () => {
      end();
      node.removeEventListener('pointerdown', down);
      node.removeEventListener('pointermove', move);
      node.removeEventListener('pointerup', up);
      node.removeEventListener('pointercancel', end);
      node.removeEventListener('dragstart', still);
    };
  };
}
