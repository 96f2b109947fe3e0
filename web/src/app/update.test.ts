import { expect, it } from 'vitest';
import { isOther } from './update';

const page = (script: string): string => `<!doctype html><script type="module" crossorigin src="${script}"></script>`;

it('knows a page of another client from one of its own', () => {
  expect(isOther(page('/assets/index-b.js'), '/assets/index-a.js')).toBe(true);
  expect(isOther(page('/assets/index-a.js'), '/assets/index-a.js')).toBe(false);
});

it('takes nothing else for another client: an error of a proxy, or a page that is being developed', () => {
  expect(isOther('<h1>502 Bad Gateway</h1>', '/assets/index-a.js')).toBe(false);
  expect(isOther(page('/assets/index-b.js'), '')).toBe(false);
});
