/** The legal actions of a view, by what a player points at. The only place that reads notation. */
import type { LegalAction } from '../../kit/board';
import type { RowName, Table } from './types';

const STEPS: Record<string, readonly [rows: number, columns: number]> = {
  up: [-1, 0],
  'up-right': [-1, 1],
  right: [0, 1],
  'down-right': [1, 1],
  down: [1, 0],
  'down-left': [1, -1],
  left: [0, -1],
  'up-left': [-1, -1],
};

export const ROWS: RowName[] = ['top', 'mid', 'low'];

export interface SheepMove {
  from: number;
  to: number;
  arrow: string;
  token: string;
  action: LegalAction;
}

export interface Moves {
  chase?: LegalAction;
  take?: LegalAction;
  steal?: LegalAction;
  pass?: LegalAction;
  fire?: LegalAction;
  hold?: LegalAction;
  stay?: LegalAction;
  bids: { cubes: number; action: LegalAction }[];
  faces: { row: RowName; action: LegalAction }[];
  sheep: SheepMove[];
}

export function movesOf(legal: LegalAction[], table: Table): Moves {
  const moves: Moves = { bids: [], faces: [], sheep: [] };
  for (const action of legal) {
    const [verb, first, second] = action.notation.split(' ');
    switch (verb) {
      case 'chase':
      case 'take':
      case 'steal':
      case 'pass':
      case 'fire':
      case 'hold':
      case 'stay':
        moves[verb] = action;
        break;
      case 'bid':
        moves.bids.push({ cubes: Number(first), action });
        break;
      case 'face':
        moves.faces.push({ row: first as RowName, action });
        break;
      case 'move':
        moves.sheep.push(sheepMove(table, Number(first), second ?? '', action));
        break;
      default:
        throw new Error(`unknown notation: ${action.notation}`);
    }
  }
  return moves;
}

function sheepMove(table: Table, from: number, arrow: string, action: LegalAction): SheepMove {
  const token = Object.keys(table.arrows).find((name) => table.arrows[name]?.includes(arrow)) ?? '';
  return { from, to: neighbour(table, from, arrow), arrow, token, action };
}

/** The slot that an arrow leads to on the farm as printed; NaN beyond its edge. */
export function neighbour(table: Table, slot: number, arrow: string): number {
  const row = ROWS.findIndex((name) => table.farm.rows[name].includes(slot));
  const [down, right] = STEPS[arrow] ?? [NaN, NaN];
  const name = ROWS[row];
  const target = ROWS[row + down];
  if (!name || !target) return NaN;
  return table.farm.rows[target][table.farm.rows[name].indexOf(slot) + right] ?? NaN;
}
