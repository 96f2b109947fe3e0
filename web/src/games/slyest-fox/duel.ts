/** The attack in the middle of the table: which cards lie on which side, and how the last one ended. */

import { parse } from './moves';
import { deckOf, spread, type Kind, type Table, type Type } from './types';

export interface Laid {
  key: string;
  seat: number;
  kind: Kind | 'character';
  helper: boolean; // it was laid by a seat that interferes
  weasel: boolean; // a nosey weasel came along
}

export interface Sides {
  attack: Laid[];
  defence: Laid[];
  beside: Laid[]; // stop it, enough is enough: they count for nobody
}

const BESIDE: readonly Kind[] = ['enough', 'stop-it'];
const SNEAKY: readonly Kind[] = ['sneaky-attack', 'sneaky-defence'];

/** Sorts the cards that were played in this attack; those of attacker and attacked come first. */
export function sidesOf(table: Table): Sides {
  const sides: Sides = { attack: [], defence: [], beside: [] };
  const { attack } = table;
  if (!attack) return sides;
  const main = [attack.by, attack.target];
  const others = table.seats.map((_, seat) => seat).filter((seat) => !main.includes(seat));
  for (const seat of [...main, ...others]) {
    const place = table.seats[seat]!;
    const helper = !main.includes(seat);
    spread(place.played).forEach((kind, i) => {
      if (kind === 'weasel') return;
      const weasel = helper && !SNEAKY.includes(kind);
      const laid = { key: `${seat}-${kind}-${i}`, seat, kind, helper, weasel };
      sides[BESIDE.includes(kind) ? 'beside' : deckOf(kind)].push(laid);
    });
    if (place.character_used && !helper) {
      const side = seat === attack.by ? 'attack' : 'defence';
      sides[side].push({ key: `${seat}-character`, seat, kind: 'character', helper, weasel: false });
    }
  }
  return sides;
}

export interface Outcome {
  by: number;
  target: number;
  type: Type;
  attacks: number;
  defences: number;
  end: 'succeeded' | 'beaten off' | 'stopped';
  out: boolean; // it was the last life
}

interface Entry {
  seat: number;
  action: string;
}

/** Remembers how the last attack ended, seen by comparing a table with the one before. */
export function follow(
  outcome: Outcome | null,
  before: Table | null,
  log: readonly Entry[],
  now: Table,
): Outcome | null {
  if (now.attack) return null;
  if (!before) return outcome;
  const last = log.at(-1);
  let attack = before.attack && { ...before.attack };
  const move = last ? parse(last.action) : null;
  if (!attack && move?.does === 'attack') {
    // Nobody could answer: it was over as soon as it began.
    const { seat: target, type } = move;
    attack = { by: last!.seat, target, type, attacks: 1, defences: 0, interfering_stopped: false, stopped_by: null };
  }
  if (!attack) return outcome;
  const { by, target, type, attacks, defences } = attack;
  const marks = (table: Table): number => table.seats[target]!.gossiped + table.seats[target]!.trapped;
  const stopped = before.phase === 'answer' || (last?.action.endsWith('stop-it') ?? false);
  const end = marks(now) > marks(before) ? 'succeeded' : stopped ? 'stopped' : 'beaten off';
  return { by, target, type, attacks, defences, end, out: now.seats[target]!.eliminated };
}
