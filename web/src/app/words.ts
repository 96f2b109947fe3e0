/** Sentences shared by several pages. */
import type { Clock, LevelInfo, TableInfo } from '../api/types';
import { seatLook } from '../kit/seats';

/** Joins things in a sentence: a, b and c. */
export function listed(things: string[]): string {
  return things.length < 2 ? (things[0] ?? '') : `${things.slice(0, -1).join(', ')} and ${things.at(-1)}`;
}

/** Formats seconds as a clock: 0:07, 1:04:09, 2 d. */
export function timeLeft(seconds: number): string {
  const s = Math.max(0, Math.ceil(seconds));
  if (s >= 2 * 86400) return `${Math.floor(s / 86400)} d`;
  const two = (n: number): string => String(n).padStart(2, '0');
  const minutes = Math.floor(s / 60) % 60;
  if (s >= 3600) return `${Math.floor(s / 3600)}:${two(minutes)}:${two(s % 60)}`;
  return `${minutes}:${two(s % 60)}`;
}

/** Tells how long ago something was. */
export function ago(then: number, now = Date.now() / 1000): string {
  const s = Math.max(0, now - then);
  if (s < 90) return 'just now';
  if (s < 5400) return `${Math.round(s / 60)} minutes ago`;
  if (s < 129600) return `${Math.round(s / 3600)} hours ago`;
  return `${Math.round(s / 86400)} days ago`;
}

/** Describes a clock. */
export function clockWords(clock: Clock): string {
  switch (clock.kind) {
    case 'none':
      return 'no clock';
    case 'move':
      return `${clock.seconds} s per move`;
    case 'match':
      return `${clock.minutes} min per player${clock.increment ? ` + ${clock.increment} s` : ''}`;
    case 'days':
      return clock.days === 1 ? '1 day per move' : `${clock.days} days per move`;
  }
}

/** Makes an option's or a choice's name readable: unknown_four is "Unknown four". */
export function spelled(name: string): string {
  const words = name.replaceAll('_', ' ').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Shortens a choice: its sentence up to the first detail. */
export function brief({ says, notation }: { says: string; notation: string }): string {
  return says.split(/[.:;(]/, 1)[0]!.trim() || notation;
}

/** Returns whether a table waits for the recipient. */
export function waitsForMe(table: TableInfo): boolean {
  const seat = table.seats.find((seat) => seat.seat === table.to_act);
  return table.status === 'running' && seat?.mine === true && !seat.standin;
}

/** Says in a few words where a match stands. */
export function standing(table: TableInfo): string {
  if (table.status === 'open') {
    const free = table.seats.filter((seat) => seat.kind === 'open').length;
    return free ? `${free} open ${free === 1 ? 'seat' : 'seats'}` : 'ready to start';
  }
  if (table.status === 'over') {
    const winners = (table.winners ?? []).map((seat) => seatName(table, seat));
    return winners.length ? `${listed(winners)} won` : 'nobody won';
  }
  if (waitsForMe(table)) return 'your move';
  return table.to_act === null ? 'about to start' : `${possessive(seatName(table, table.to_act))} turn`;
}

/** Names a seat, even an empty one. */
export function seatName(table: TableInfo, seat: number): string {
  return table.seats[seat]?.name || `the ${seatLook(seat).animal}`;
}

/** Says whose something is. */
export function possessive(name: string): string {
  return `${name}’s`;
}

/** Names a level of bots. */
export function levelName(levels: LevelInfo[], level: number | null): string {
  return levels.find((one) => one.level === level)?.name ?? `level ${level}`;
}

/** Writes a share as people read it: 0.1234 is "12 %"; with `signed`, "+12 %". */
export function percent(share: number, { signed = false, digits = 0 } = {}): string {
  const text = (Math.abs(share) * 100).toFixed(digits);
  const sign = Number(text) === 0 ? '' : share < 0 ? '−' : signed ? '+' : '';
  return `${sign}${text} %`;
}

/** Writes points as people read them: "+1.5". */
export function points(value: number, { signed = false } = {}): string {
  const text = Math.abs(value).toFixed(1);
  const sign = Number(text) === 0 ? '' : value < 0 ? '−' : signed ? '+' : '';
  return `${sign}${text}`;
}
