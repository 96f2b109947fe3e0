import { fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import AdminPage from './AdminPage.svelte';

const TOKEN = 'a token for the tests';
const answers: Record<string, unknown> = {
  '/api/admin/guests': [{ person: 'ben', name: 'Ben', table: 'abc', sockets: 2, address: '192.0.2.7' }],
  '/api/admin/bans': [],
  '/api/admin/audit': [{ number: 1, at: 1, actor: 'root at the server', action: 'ban', target: 'tom', detail: {} }],
};
let asked: [string, string, unknown][] = [];

beforeEach(() => {
  asked = [];
  HTMLDialogElement.prototype.showModal ??= () => {};
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const token = (init.headers as Record<string, string>).authorization;
    asked.push([init.method!, url, init.body ? JSON.parse(String(init.body)) : null]);
    if (token !== `Bearer ${TOKEN}`) {
      const problem = { type: '/problems/forbidden', title: 'Forbidden', status: 403, detail: 'This is for administrators.' };
      return new Response(JSON.stringify(problem), { status: 403, headers: { 'content-type': 'application/problem+json' } });
    }
    return new Response(JSON.stringify(answers[url] ?? {}), { headers: { 'content-type': 'application/json' } });
  });
});
afterEach(() => vi.unstubAllGlobals());

describe("the administrators' page", () => {
  it('asks for the token, then shows who is on and what was done', async () => {
    render(AdminPage);
    const field = await screen.findByLabelText("The administrators' token");
    expect(screen.queryByText('Who is online')).toBeNull();
    await fireEvent.input(field, { target: { value: TOKEN } });
    await fireEvent.click(screen.getByText('Enter'));
    expect(await screen.findByText('Who is online')).toBeTruthy();
    expect(screen.getByText('192.0.2.7')).toBeTruthy();
    expect(screen.getByText('root at the server', { exact: false })).toBeTruthy();
  });

  it('bans the address that was pressed', async () => {
    render(AdminPage);
    await fireEvent.input(await screen.findByLabelText("The administrators' token"), { target: { value: TOKEN } });
    await fireEvent.click(screen.getByText('Enter'));
    await fireEvent.click(await screen.findByText('Ban 192.0.2.7'));
    const form = screen.getByLabelText(/an address, or a range/).closest('form')!;
    await fireEvent.submit(form);
    await vi.waitFor(() => expect(asked.some(([method]) => method === 'POST')).toBe(true));
    const [, url, body] = asked.find(([method]) => method === 'POST')!;
    expect(url).toBe('/api/admin/bans');
    expect(body).toEqual({ person: null, network: '192.0.2.7', reason: '', days: null });
  });
});
