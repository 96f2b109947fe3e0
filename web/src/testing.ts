/** Browser stubs for tests: happy-dom draws nothing, so animations are off. */
import { cleanup } from '@testing-library/svelte';
import { afterEach } from 'vitest';
import type { FromServer } from './api/types';

Element.prototype.animate = (() => ({
  cancel() {},
  finish() {},
  finished: Promise.resolve(),
  onfinish: null,
  currentTime: 0,
})) as never;

afterEach(() => cleanup());

/** A socket with the test at the other end. */
export class FakeSocket {
  static all: FakeSocket[] = [];
  static OPEN = 1;
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.readyState = 3;
  }

  tell(message: FromServer): void {
    this.readyState = 1;
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  fail(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}
