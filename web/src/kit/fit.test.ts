import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fit } from './fit';
import { Settling } from './settle';

/** Gives an element sizes and places: nothing is laid out here. */
function lay(element: HTMLElement, sizes: Record<string, number | (() => number)>): void {
  for (const [name, size] of Object.entries(sizes)) {
    Object.defineProperty(element, name, { configurable: true, get: typeof size === 'number' ? () => size : size });
  }
}

const style = { paddingLeft: '0', paddingRight: '0', paddingTop: '0', paddingBottom: '0', position: 'static', translate: 'none' };
beforeEach(() => void vi.stubGlobal('getComputedStyle', () => style));
afterEach(() => vi.unstubAllGlobals());

const child = (inside: HTMLElement): HTMLElement => inside.appendChild(document.createElement('div'));

describe('a board', () => {
  let resized: () => void;
  let layouts = 0;
  let base = 0; // px; how high the board is when 1000 px wide
  let sheet: HTMLElement;
  let detach: void | (() => void);

  beforeEach(() => {
    vi.stubGlobal('matchMedia', () => ({ matches: false }));
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(heard: () => void) {
          resized = heard;
        }
        observe(): void {}
        disconnect(): void {}
      },
    );
    const felt = document.createElement('div');
    lay(felt, { clientWidth: 1000, clientHeight: 600 });
    sheet = child(felt);
    // A wider board has larger cards, and is higher.
    const height = (): number => {
      layouts += 1;
      return base * (parseFloat(sheet.style.width) / 1000) ** 0.3;
    };
    lay(sheet, { offsetHeight: height });
    base = 600;
    detach = fit(sheet);
    layouts = 0;
  });

  afterEach(() => detach?.());

  const drawn = (): number => sheet.offsetHeight * Number(/scale\((.*)\)/.exec(sheet.style.transform)?.[1] ?? 1);

  it('that has grown fits again, after few layouts', () => {
    for (const grown of [660, 780, 950]) {
      base = grown;
      layouts = 0;
      resized();
      expect(layouts).toBeLessThanOrEqual(4);
      expect(drawn()).toBeLessThanOrEqual(601);
      expect(drawn()).toBeGreaterThan(560);
    }
  });

  it('is looked at as soon as it has changed, before anything is drawn', async () => {
    child(sheet).className = 'new';
    base = 780;
    await Promise.resolve(); // and no size was told
    expect(drawn()).toBeLessThanOrEqual(601);
  });

  it('that is as high as before is looked at, and not laid out', () => {
    resized();
    expect(layouts).toBe(1);
    expect(sheet.style.transform).toBe('');
  });
});

describe('parts of a board', () => {
  it('glide where they have moved, are left alone while they do, and go on from where they are seen', () => {
    const sheet = document.createElement('div');
    const part = child(child(sheet));
    let top = 10;
    for (const one of [part.parentElement!, part]) {
      lay(one, { offsetWidth: 100, offsetLeft: 0, offsetTop: one === part ? () => top : 0, clientLeft: 0, clientTop: 0 });
    }
    const glides: { from: string; cancelled: boolean }[] = [];
    part.animate = ((frames: { translate: string }[]) => {
      const glide = { from: frames[0]!.translate, cancelled: false };
      glides.push(glide);
      return { playState: 'running', cancel: () => (glide.cancelled = true) };
    }) as unknown as typeof part.animate;
    const settling = new Settling(sheet);
    settling.settle(2, true);
    top = 40;
    settling.settle(2, false);
    expect(glides).toEqual([{ from: '0px -30px', cancelled: false }]);
    settling.settle(2, false); // something else has grown, and this is where it was
    expect(glides).toEqual([{ from: '0px -30px', cancelled: false }]);
    top = 50;
    vi.stubGlobal('getComputedStyle', () => ({ ...style, translate: '0px -6px' })); // half way
    settling.settle(2, false);
    expect(glides).toEqual([
      { from: '0px -30px', cancelled: true },
      { from: '0px -16px', cancelled: false },
    ]);
  });
});
