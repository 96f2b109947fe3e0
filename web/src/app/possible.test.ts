import { afterEach, expect, it, vi } from 'vitest';
import type { GameInfo } from '../api/types';
import { chosen, Possible } from './possible.svelte';

const flag = (name: string) => ({ name, kind: 'flag' as const, help: '', rules: [], standard: false });
const game = { name: 'g', seats: [2, 3, 4], options: [flag('teams'), flag('extra')] } as unknown as GameInfo;

afterEach(() => vi.unstubAllGlobals());

it('asks for every single change once, and says why one cannot be', async () => {
  const fetch = vi.fn(async (_: string, init: RequestInit) => {
    const setup = JSON.parse(init.body as string);
    if (setup.options.teams && setup.seats !== 4) {
      const problem = { type: '/problems/bad-option', title: '', status: 422, detail: 'Teams need 4 seats.', field: 'options.teams' };
      return new Response(JSON.stringify(problem), { status: 422, headers: { 'content-type': 'application/problem+json' } });
    }
    return new Response(null, { status: 204 });
  });
  vi.stubGlobal('fetch', fetch);
  const possible = new Possible(game);
  await possible.look(3, { teams: false, extra: false });
  expect(possible.problem).toBeNull();
  expect(possible.why).toEqual({ 'option teams true': 'Teams need 4 seats.' });
  const asked = fetch.mock.calls.length;
  expect(asked).toBe(5); // as it is, two other numbers of seats, two flags
  await possible.look(4, { teams: true, extra: false });
  expect(possible.why).toEqual({ 'seats 2': 'Teams need 4 seats.', 'seats 3': 'Teams need 4 seats.' });
  await possible.look(3, { teams: false, extra: false });
  expect(fetch.mock.calls.length).toBe(asked + 3);
  await possible.look(2, { teams: true, extra: false });
  expect(possible.problem).toEqual({ field: 'options.teams', says: 'Teams need 4 seats.' });
});

it('sends only what differs from the game as it is', () => {
  expect(chosen(game, { teams: true, extra: false })).toEqual({ teams: true });
});
