/** Pulls a card out of the hand and drops it where it can go; taps and scrolling stay as they are. */
import type { Attachment } from 'svelte/attachments';

const SLACK = 10; // how far a finger may tremble before a tap becomes a pull

export interface Pull {
  /** Tells whether the card may be pulled at all. */
  ready: () => boolean;
  /** A selector of where it may be dropped. */
  onto: string;
  dropped: () => void;
}

/** Makes an element draggable: `{@attach pulled({ … })}`. */
export function pulled({ ready, onto, dropped }: Pull): Attachment<HTMLElement> {
  return (node) => {
    let start: { x: number; y: number; id: number } | null = null;
    let ghost: HTMLElement | null = null;
    let over: Element | null = null;

    function place(event: PointerEvent): void {
      if (!start || !ghost) return;
      ghost.style.translate = `${event.clientX - start.x}px ${event.clientY - start.y}px`;
      const found = document.elementFromPoint(event.clientX, event.clientY)?.closest(onto) ?? null;
      if (found !== over) {
        over?.classList.remove('over');
        found?.classList.add('over');
        over = found;
      }
    }

    function lift(): void {
      const box = node.getBoundingClientRect();
      ghost = node.cloneNode(true) as HTMLElement;
      ghost.inert = true;
      ghost.style.cssText = `position:fixed;z-index:50;left:${box.left}px;top:${box.top}px;width:${box.width}px;pointer-events:none;rotate:3deg;--card-w:${box.width}px`;
      (node.closest('.grove') ?? document.body).append(ghost);
      node.style.opacity = '0.25';
    }

    function end(): void {
      ghost?.remove();
      over?.classList.remove('over');
      node.style.opacity = '';
      start = ghost = over = null;
    }

    function down(event: PointerEvent): void {
      if (event.button !== 0 || !ready()) return;
      start = { x: event.clientX, y: event.clientY, id: event.pointerId };
    }

    function move(event: PointerEvent): void {
      if (!start || event.pointerId !== start.id) return;
      if (!ghost) {
        if (Math.hypot(event.clientX - start.x, event.clientY - start.y) < SLACK) return;
        node.setPointerCapture(event.pointerId);
        lift();
      }
      place(event);
    }

    function up(event: PointerEvent): void {
      if (!start || event.pointerId !== start.id) return;
      const done = ghost !== null;
      const landed = over !== null;
      end();
      if (!done) return;
      // The click that follows a pull is not a tap.
      node.addEventListener('click', stop, { capture: true, once: true });
      setTimeout(() => node.removeEventListener('click', stop, { capture: true }), 50);
      if (landed) dropped();
    }

    function stop(event: Event): void {
      event.preventDefault();
      event.stopPropagation();
    }

    // Sideways the hand scrolls; only a pull up or down is ours.
    node.style.touchAction = 'pan-x';
    node.addEventListener('pointerdown', down);
    node.addEventListener('pointermove', move);
    node.addEventListener('pointerup', up);
    node.addEventListener('pointercancel', end);
    node.addEventListener('dragstart', stop);
    return () => {
      end();
      node.removeEventListener('pointerdown', down);
      node.removeEventListener('pointermove', move);
      node.removeEventListener('pointerup', up);
      node.removeEventListener('pointercancel', end);
      node.removeEventListener('dragstart', stop);
    };
  };
}
