import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FromServer, SeatInfo, TableInfo, View } from '../api/types';
import { fixtures, seatsOf } from '../gallery/fixtures';
import { FakeSocket } from '../testing';
import { set } from './settings.svelte';
import TablePage from './TablePage.svelte';

// A game without a board: the page has to hold its own.
const some = Object.values(fixtures)[0]!;
const asked: View<unknown> = { ...some.find(({ view }) => view.legal.length > 1)!.view, game: 'none', seat: 0, to_act: 0 };
const over: View<unknown> = { ...some.find(({ view }) => view.scores)!.view, game: 'none' };
const clock = { now: 0, due: null, left: [] };

const seats = (mine: number[], more: Partial<SeatInfo> = {}): SeatInfo[] =>
  seatsOf(asked).map((seat) => ({ ...seat, kind: 'person', mine: mine.includes(seat.seat), ...more }));

const table = (more: Partial<TableInfo> = {}): TableInfo => ({
  id: 'abc',
  game: 'none',
  title: 'No Such Fox',
  rules_version: 1,
  status: 'running',
  seats: seats([0]),
  options: {},
  parts: {},
  clock: { kind: 'none' },
  access: 'link',
  watch: 'anyone',
  hints: true,
  pace: 'brisk',
  grace: 10,
  host: true,
  begin_in: null,
  muted: [],
  invite: '/t/abc?key=k',
  seed_hash: 'f00',
  seed: null,
  ply: asked.ply,
  to_act: 0,
  scores: null,
  winners: null,
  created: 0,
  changed: 0,
  watchers: 0,
  rematch: null,
  undone: 0,
  can_undo: false,
  ...more,
});

const sync = (more: Partial<TableInfo> = {}, view: View | null = asked, seat: number | null = 0): FromServer => ({
  type: 'sync',
  table: table(more),
  seat,
  view: view && { ...view, seat },
  log: [],
  chat: [],
  clock,
  decided: false,
});

const socket = (): FakeSocket => FakeSocket.all.at(-1)!;

async function tell(message: FromServer): Promise<void> {
  socket().tell(message);
  await tick();
  await new Promise((done) => setTimeout(done)); // for the board to be looked up
}

beforeEach(() => {
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('fetch', async () => new Response('[]', { headers: { 'content-type': 'application/json' } }));
  render(TablePage, { id: 'abc', key: null });
});

afterEach(() => vi.unstubAllGlobals());

describe('the table page', () => {
  it('says that it is your move, in the page and in the title, and sends what you choose', async () => {
    await tell(sync());
    expect(screen.getByText('Your move.')).toBeTruthy();
    expect(document.title).toBe('● Your move · No Such Fox · Foxden');
    screen.getByRole('button', { name: asked.legal[1]!.says }).click();
    expect(socket().sent).toEqual([{ type: 'play', seat: 0, ply: asked.ply, action: asked.legal[1]!.id, ref: 1 }]);
    await tick();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: asked.legal[0]!.says }).disabled).toBe(true);
  });

  it('never shows a table that may be old as if it were live', async () => {
    await tell(sync());
    socket().fail();
    await tick();
    expect(screen.getByText(/Connection lost/, { selector: 'p' })).toBeTruthy();
    expect(document.querySelector('.stale')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: asked.legal[0]!.says }).disabled).toBe(true);
    expect(document.title).toBe('No Such Fox · Foxden');
  });

  it('keeps the board when something else of the table changes', async () => {
    await tell(sync());
    const board = screen.getByRole('region', { name: 'The table' });
    await tell({ type: 'table', table: table({ watchers: 1 }) });
    expect(screen.getByRole('region', { name: 'The table' })).toBe(board);
  });

  it('shows why something was refused', async () => {
    await tell(sync());
    const problem = { type: '/problems/illegal-action', title: '', status: 409, detail: 'You must follow (FG-17).', rule: 'FG-17' };
    await tell({ type: 'refused', ref: 7, problem });
    expect(screen.getByText(/^You must follow\./, { selector: '.problem p' })).toBeTruthy();
    expect(screen.getByRole('img', { name: 'Rule FG-17' }).getAttribute('title')).toBe('FG-17');
  });

  it('hides the cards of one person from the next at the same device', async () => {
    await tell(sync({ seats: seats([0, 1]) }));
    expect(screen.getByText(`Pass the device to ${asked.names[0]}`)).toBeTruthy();
    expect(screen.queryByRole('button', { name: asked.legal[0]!.says })).toBeNull();
    screen.getByRole('button', { name: /show my cards/ }).click();
    await tell(sync({ seats: seats([0, 1]) }));
    expect(screen.getByRole('button', { name: asked.legal[0]!.says })).toBeTruthy();
    // The next seat is asked: covered until its person has said so and the server has answered.
    await tell({ type: 'update', view: { ...asked, legal: [], to_act: 1, ply: asked.ply + 1 }, log: [], clock });
    expect(screen.getByText(`Pass the device to ${asked.names[1]}`)).toBeTruthy();
    expect(screen.queryByRole('complementary')).toBeNull(); // nor does the log tell what the last one knew
    screen.getByRole('button', { name: /show my cards/ }).click();
    await tick();
    expect(socket().sent.at(-1)).toMatchObject({ type: 'look', seat: 1 });
    expect(screen.queryByRole('region', { name: 'The table' })).toBeNull();
    await tell(sync({ seats: seats([0, 1]), to_act: 1 }, { ...asked, to_act: 1, ply: asked.ply + 1 }, 1));
    expect(screen.getByRole('region', { name: 'The table' })).toBeTruthy();
  });

  it('offers nothing while a bot stands in, and the seat back', async () => {
    await tell(sync({ seats: seats([0], { standin: true, level: 3 }) }));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: asked.legal[0]!.says }).disabled).toBe(true);
    screen.getByRole('button', { name: 'Take my seat back' }).click();
    expect(socket().sent.at(-1)).toMatchObject({ type: 'standin', seat: 0, level: null });
  });

  it('looks through the seat that was taken after the page was opened', async () => {
    await tell(sync({ seats: seats([]) }, asked, null));
    expect(screen.getByText('watching')).toBeTruthy();
    await tell({ type: 'table', table: table() });
    expect(socket().sent).toEqual([{ type: 'look', seat: 0, ref: 1 }]);
    await tell(sync());
    expect(screen.getByText('Your move.')).toBeTruthy();
    expect(socket().sent).toHaveLength(1);
  });

  it('explains the result line by line', async () => {
    const names = over.names.map((name, seat) => ({ ...seats([0])[0]!, seat, name, mine: seat === 0 }));
    await tell(sync({ status: 'over', seats: names, to_act: null, scores: over.scores, winners: over.winners, ply: over.ply }, over));
    const result = screen.getByRole('region', { name: /win/ });
    const places = within(result).getAllByRole('listitem');
    expect(places).toHaveLength(over.names.length);
    const first = over.names.findIndex((name) => places[0]!.textContent!.includes(name));
    expect(over.winners).toContain(first);
    const brought = over.tally![first]!.filter(([, points]) => points !== 0);
    expect(brought).not.toHaveLength(0);
    for (const [what, points] of brought) {
      expect(places[0]!.textContent).toContain(what);
      expect(places[0]!.textContent).toContain(String(points));
    }
    expect(screen.getByRole('button', { name: 'Play again' })).toBeTruthy();
    expect(screen.getByRole('slider', { name: 'Position' })).toBeTruthy();
  });

  it('says what seats have reached that played together', async () => {
    const names = over.names.map((name, seat) => ({ ...seats([0])[0]!, seat, name, mine: seat === 0 }));
    const view = { ...over, together: true, scores: over.names.map(() => 36), winners: [] };
    await tell(sync({ status: 'over', seats: names, to_act: null, scores: view.scores, winners: [], ply: over.ply }, view));
    expect(screen.getByRole('region', { name: 'Together you scored 36' })).toBeTruthy();
  });

  it('waits for company with a link', async () => {
    const free = seats([0]).map((seat) => (seat.seat ? { ...seat, kind: 'open' as const, name: '' } : seat));
    await tell(sync({ status: 'open', seats: free, to_act: null }, null, null));
    expect(screen.getByRole('heading', { name: 'Waiting for players' })).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Invite link').value).toContain('/t/abc?key=k');
    expect(screen.getByRole('button', { name: /Start/ })).toBeTruthy();
  });

  it('says that the rules are being prepared', async () => {
    await tell(sync({ to_act: null }, null, 0));
    expect(screen.getByText('Getting No Such Fox ready…')).toBeTruthy();
  });

  it('knows a table that is not for this person', async () => {
    socket().tell({ type: 'refused', ref: 0, problem: { type: '/problems/not-found', title: '', status: 404, detail: '' } });
    socket().fail(4404);
    await tick();
    expect(screen.getByText('Table not found')).toBeTruthy();
  });

  it('says that you have left, where leaving is the end of watching too', async () => {
    await tell(sync({ watch: 'seated', host: false, invite: null }));
    await tell({ type: 'refused', ref: 0, problem: { type: '/problems/forbidden', title: '', status: 403, detail: '' } });
    vi.useFakeTimers();
    for (let i = 0; i < 2; i++) {
      socket().fail(4403); // the seat is gone, and then there is nothing to watch
      vi.advanceTimersByTime(20_000);
    }
    vi.useRealTimers();
    await tick();
    expect(screen.getByText('You have left this table')).toBeTruthy();
  });

  it('goes back to the last decision where that is possible, and once there was one', async () => {
    await tell(sync());
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    await tell(sync({ can_undo: true }));
    for (const undo of screen.getAllByRole<HTMLButtonElement>('button', { name: 'Undo' })) expect(undo.disabled).toBe(true);
    await fireEvent.keyDown(document.body, { key: 'u' });
    expect(socket().sent).toEqual([]);
    await tell({ ...sync({ can_undo: true }), decided: true } as FromServer);
    screen.getAllByRole('button', { name: 'Undo' })[0]!.click();
    expect(socket().sent).toEqual([{ type: 'undo', ply: asked.ply, ref: 1 }]);
  });

  describe('where there is nothing to decide', () => {
    const open = fixtures['slyest-fox']!.find(({ view }) => view.table.phase === 'open' && view.legal.length > 1)!.view;
    const ready = open.legal.find(({ facts }) => facts.kind === 'ready')!;
    const only: View<unknown> = { ...open, legal: [ready] };
    const at = (view: View, kind: 'person' | 'bot'): FromServer => {
      const sitting = seatsOf(view).map((seat) => ({ ...seat, kind: seat.mine ? ('person' as const) : kind }));
      return sync({ game: 'slyest-fox', seats: sitting, to_act: view.seat }, view, view.seat);
    };
    const played = { type: 'play', seat: open.seat, ply: open.ply, action: ready.id, ref: 1 };
    afterEach(() => set('forced', true));

    it('answers unasked', async () => {
      await tell(at(only, 'bot'));
      expect(screen.queryByText('Your move.')).toBeNull();
      await vi.waitFor(() => expect(socket().sent).toEqual([played]), { timeout: 5000 });
    });

    it('asks all the same whoever wants to be asked', async () => {
      set('forced', false);
      await tell(at(only, 'bot'));
      expect(screen.getByText('Your move.')).toBeTruthy();
    });

    it('takes as long among people as one who chooses to do nothing', async () => {
      const clock = vi.spyOn(performance, 'now').mockReturnValue(0); // however long it takes to find the button
      await tell(at(open, 'person'));
      expect(screen.getByText('Your move.')).toBeTruthy();
      const button = await screen.findByRole('button', { name: 'Ready' });
      button.click();
      expect(socket().sent).toEqual([]);
      await vi.waitFor(() => expect(socket().sent).toEqual([played]), { timeout: 5000 });
      clock.mockRestore();
    });
  });

  it('says which of the suggested moves is preferred, and how often each wins', async () => {
    await tell(sync());
    screen.getAllByRole('button', { name: 'Hint' })[0]!.click();
    const moves = asked.legal.slice(0, 2).map(({ id, notation, says }, i) => ({ action: id, notation, says, share: 0.6, value: 0.38 - i / 10 }));
    await tell({ type: 'hints', ref: 1, ply: asked.ply, moves });
    const lines = [...document.querySelectorAll('.hints small')].map((line) => line.textContent);
    expect(lines).toEqual(['Preferred · wins 38 %', 'Wins 28 %']);
  });
});
