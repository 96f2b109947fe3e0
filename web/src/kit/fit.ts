/**
 * Scales a board so that all of it is seen: `{@attach fit}` on the sheet that holds it, inside the felt.
 *
 * A sheet is laid out wider and drawn smaller where the room is low, and the other way round on a large
 * screen. It grows only when the room changes: a board that breathed with every move would be hard to read.
 */
import type { Attachment } from 'svelte/attachments';
import { Settling } from './settle';

const LEAST = 0.42; // a phone on its side
const MOST = 1.6;
const USUAL = 1080; // px; a sheet is enlarged only while it stays this wide
const LOW = 1.75; // from this ratio of width to height on, boards find room at their sides
const HIGH = 1.5; // up to this one they find none there, but for those that say otherwise; between them they take whatever is drawn larger
const TALL = 1; // below it a room has its space in the height
const TRIES = 4; // after which a scale is good enough
const SPARE = 0.985;
const PHONE = '(width < 720px)'; // there boards keep their size and keep what matters in reach

export const fit: Attachment<HTMLElement> = (sheet) => {
  const felt = sheet.parentElement!;
  const settling = new Settling(sheet);
  let scale = 1;
  let height = 0; // px, as laid out
  let room = { width: 0, height: 0 };

  /** Lays the sheet out for a scale and returns how much taller than the room it is drawn. */
  const lay = (to: number): number => {
    scale = to;
    sheet.style.width = `${room.width / to}px`;
    sheet.style.minHeight = `${room.height / to}px`;
    sheet.style.setProperty('--room', `${room.height / to}px`); // for what shall be larger where there is room
    sheet.style.transform = to === 1 ? '' : `scale(${to})`;
    height = sheet.offsetHeight;
    return height * to - room.height;
  };

  const search = (high: number): void => {
    const over = lay(high);
    if (over <= 1) return;
    // A wider sheet is seldom higher, so it fits where it would fit unchanged; the rest is worth a few tries.
    let low = Math.max(LEAST, (high * room.height) / (room.height + over));
    let least = high;
    if (lay(low) > 1) [low, least] = [LEAST, low];
    for (let tries = 0; tries < TRIES; tries++) {
      const between = (low + least) / 2;
      if (lay(between) <= 1) low = between;
      else least = between;
    }
    if (scale !== low) lay(low);
  };

  /** Makes a board smaller that has grown. Every layout is felt, and one is mostly enough: no search. */
  const reduce = (): void => {
    height = sheet.offsetHeight;
    for (let tries = 0, over = height * scale - room.height; over > 1 && scale > LEAST && tries < TRIES; tries++) {
      // Wider, some of its parts are higher too: where that was forgotten once, it is made up for.
      const low = ((scale * room.height) / (room.height + over)) * (tries ? SPARE : 1);
      over = lay(Math.max(LEAST, low));
    }
  };

  const refit = (): void => {
    const style = getComputedStyle(felt);
    const next = {
      width: felt.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight),
      height: felt.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom),
    };
    if (!(next.width > 0 && next.height > 0)) return;
    const other = next.width !== room.width || next.height !== room.height;
    room = next;
    const most = Math.min(MOST, Math.max(1, room.width / USUAL));
    const ratio = room.width / room.height;
    if (other) {
      sheet.toggleAttribute('data-low', ratio > LOW);
      sheet.toggleAttribute('data-tall', ratio < TALL);
    }
    if (matchMedia(PHONE).matches) lay(1);
    else if (other) {
      search(most);
      const from = sheet.querySelector<HTMLElement>(':scope > [data-low-from]')?.dataset.lowFrom;
      if (ratio > Number(from ?? HIGH) && ratio <= LOW && scale < most) {
        const high = scale;
        sheet.toggleAttribute('data-low', true);
        search(most);
        if (scale <= high) {
          sheet.toggleAttribute('data-low', false);
          lay(high);
        }
      }
    } else reduce();
    sheet.style.marginBottom = `${height * (scale - 1)}px`; // it takes as much room as is drawn
    settling.settle(scale, other);
  };

  // Whatever of the board grows or shrinks may move the rest of it.
  const watch = new ResizeObserver(refit);
  const watched = new WeakSet<Element>();
  const observe = (): void => {
    for (const part of [felt, sheet, ...sheet.querySelectorAll(':scope > *, :scope > * > *, :scope > * > * > *')]) {
      if (!watched.has(part)) watch.observe(part);
      watched.add(part);
    }
  };
  // By the time a ResizeObserver reports a size, the browser has counted the jump. So the board is checked as soon as
  // it changes, and what has moved glides from that very frame on.
  const parts = new MutationObserver(() => {
    observe();
    refit();
  });
  parts.observe(sheet, { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ['class'] });
  observe();
  refit();
  return () => {
    watch.disconnect();
    parts.disconnect();
  };
};
