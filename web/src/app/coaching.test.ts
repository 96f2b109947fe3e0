import { beforeEach, expect, it, vi } from 'vitest';
import { api } from '../api/rest';
import type { LogEntry, Remark, View } from '../api/types';
import { Coaching } from './coaching.svelte';
import { set } from './settings.svelte';

const remark = (more: Partial<Remark>): Remark => ({ say: 'Look.', event: null, phase: null, mine: null, rule: null, ...more });
const view = (phase: string): View => ({ seat: 1, table: { phase } }) as View;
const news = (...events: unknown[]): LogEntry[] => [{ ply: 1, seat: 0, action: '', says: [], events }];

const mine = remark({ event: 'fox-sent', mine: true });
const theirs = remark({ event: 'fox-sent', mine: false });
const grab = remark({ phase: 'grab' });

async function coached(): Promise<Coaching> {
  const coaching = new Coaching();
  coaching.load('happy-fox', true);
  await vi.waitFor(() => expect(coaching.remarks).toHaveLength(3));
  return coaching;
}

beforeEach(() => {
  localStorage.clear();
  set('tips', true);
  vi.restoreAllMocks();
  vi.spyOn(api, 'remarks').mockResolvedValue([mine, theirs, grab]);
});

it('remarks on what happens for the first time, by whom, and never again', async () => {
  const coaching = await coached();
  coaching.hear(view('play'), news({ kind: 'card-laid', seat: 0 }), true);
  expect(coaching.remark).toBeNull();
  coaching.hear(view('grab'), news({ kind: 'fox-sent', seat: 0 }), false);
  expect(coaching.remark).toBe(theirs);
  coaching.dismiss();
  coaching.hear(view('grab'), news({ kind: 'fox-sent', seat: 0 }), false);
  expect(coaching.remark).toBeNull();
  coaching.hear(view('grab'), [], true);
  expect(coaching.remark).toBe(grab);
  const later = await coached(); // another match on this device
  later.hear(view('grab'), news({ kind: 'fox-sent', seat: 0 }), true);
  expect(later.remark).toBeNull();
  later.hear(view('play'), news({ kind: 'fox-sent', seat: 1 }), false);
  expect(later.remark).toBe(mine);
});

it('is silent, and asks for nothing, where nobody wants tips', async () => {
  const coaching = await coached();
  set('tips', false);
  coaching.hear(view('grab'), news({ kind: 'fox-sent', seat: 0 }), true);
  expect(coaching.remark).toBeNull();
  const asked = vi.mocked(api.remarks).mock.calls.length;
  const other = new Coaching();
  other.load('happy-fox', true);
  other.load('happy-fox', false);
  expect(vi.mocked(api.remarks).mock.calls.length).toBe(asked);
});
