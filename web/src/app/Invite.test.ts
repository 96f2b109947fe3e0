import { render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../api/rest';
import Invite from './Invite.svelte';
import { isOwn, Network, network } from './network.svelte';

const CLOSED = { open: false, address: null, command: 'foxden serve --host 0.0.0.0' };
const OPEN = { open: true, address: 'http://192.168.1.20:8100', command: null };

beforeEach(() => {
  vi.spyOn(network, 'look').mockResolvedValue();
  Object.assign(network, { origin: 'http://127.0.0.1:8100', reach: 'here', command: null });
});
afterEach(() => vi.restoreAllMocks());

describe('the network', () => {
  it('is asked for only where the page’s own address is good for nobody else', async () => {
    for (const host of ['127.0.0.1', '127.1.2.3', 'localhost', '[::1]', '0.0.0.0']) expect(isOwn(host), host).toBe(true);
    for (const host of ['192.168.1.20', 'play.example', '128.0.0.1', '[fe80::1]']) expect(isOwn(host), host).toBe(false);
    const asked = vi.spyOn(api, 'network').mockResolvedValue(OPEN);
    await new Network('play.example').look();
    expect(asked).not.toHaveBeenCalled();
  });

  it('has the address that friends can use, or the command that makes one', async () => {
    const asked = vi.spyOn(api, 'network').mockResolvedValue(OPEN);
    const open = new Network('localhost');
    expect(open.scannable).toBe(false); // not before the address is known
    await open.look();
    await open.look();
    expect(asked).toHaveBeenCalledOnce();
    expect([open.origin, open.reach]).toEqual(['http://192.168.1.20:8100', 'here']);
    asked.mockResolvedValue(CLOSED);
    const closed = new Network('localhost');
    await closed.look();
    expect([closed.reach, closed.command]).toEqual(['closed', CLOSED.command]);
  });
});

describe('an invitation', () => {
  it('gives the address in the network, to read and to scan', () => {
    network.origin = OPEN.address;
    render(Invite, { path: '/t/abc?key=k' });
    const link = screen.getByRole<HTMLInputElement>('textbox', { name: 'Invite link' });
    expect(link.value).toBe('http://192.168.1.20:8100/t/abc?key=k');
    expect(screen.getByRole('img', { name: /QR code/ })).toBeTruthy();
    expect(screen.queryByRole('note')).toBeNull();
  });

  it('says what to do where nobody else can reach the server, and shows no code to scan', () => {
    Object.assign(network, { reach: 'closed', command: CLOSED.command });
    render(Invite, { path: '/t/abc?key=k' });
    expect(screen.getByRole('note').textContent).toContain(CLOSED.command);
    expect(screen.getByRole('button', { name: 'Copy the command' })).toBeTruthy();
    expect(screen.queryByRole('img')).toBeNull();
  });
});
