import { describe, expect, it, vi } from 'vitest';
import { HotSeat } from './hotSeat.svelte';

function at(mine: number[], to_act: number | null, seat: number | null = mine[0] ?? null) {
  const seats = [0, 1, 2].map((n) => ({ seat: n, mine: mine.includes(n), standin: false }));
  return { table: { status: 'running', seats, to_act }, seat, look: vi.fn() };
}

const seatOf = (live: unknown): HotSeat => new HotSeat(live as never);

describe('one device for several people', () => {
  it('is handed over before anything is shown, and again when another of them is asked', () => {
    const live = at([0, 1], 0);
    const hotSeat = seatOf(live);
    expect(hotSeat.next).toBe(0);
    hotSeat.handOver();
    expect(hotSeat.next).toBeNull();
    expect(live.look).not.toHaveBeenCalled();
    live.table.to_act = 2; // somebody elsewhere: the device stays
    expect(hotSeat.next).toBeNull();
    live.table.to_act = 1;
    expect(hotSeat.next).toBe(1);
    hotSeat.handOver();
    expect(live.look).toHaveBeenCalledWith(1);
    expect(hotSeat.next).toBe(1); // until the server shows that seat
    live.seat = 1;
    expect(hotSeat.next).toBeNull();
  });

  it('goes to nobody whose bot plays, and to nobody when one person sits here', () => {
    const live = at([0, 1], 1);
    live.table.seats[1]!.standin = true;
    expect(seatOf(live).next).toBe(0);
    expect(seatOf(at([1], 1)).next).toBeNull();
    expect(seatOf({ ...at([0, 1], 1), table: null }).next).toBeNull();
    expect(seatOf({ ...at([0, 1], 1), table: { ...at([0, 1], 1).table, status: 'over' } }).next).toBeNull();
  });
});
