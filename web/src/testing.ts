/** happy-dom draws nothing, so what moves must stand still. */
import { cleanup } from '@testing-library/svelte';
import { afterEach } from 'vitest';

Element.prototype.animate ??= (() => ({
  cancel() {},
  finish() {},
  finished: Promise.resolve(),
  onfinish: null,
  currentTime: 0,
})) as never;

afterEach(() => cleanup());
