/** The attack in the middle of the table: which cards lie on which side, and how the last one ended. */

import { deckOf, spread, type AttackEnded, type Entry, type Kind, type Table } from './view';

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

/** Returns how the last attack ended; none while the next one is on, or where it is not known. */
export function follow(outcome: AttackEnded | null, before: Table | null, log: readonly Entry[], now: Table): AttackEnded | null {
  if (now.attack || !before) return null;
  const events = log.flatMap((entry) => entry.events);
  return events.findLast((event) => event.kind === 'attack-ended') ?? outcome;
}
