/** The legal actions of a view, by what a player points at. */
import type { LegalAction, Mover, RowName } from './view';

export interface SheepMove {
  from: number;
  to: number;
  token: Mover;
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

export function movesOf(legal: readonly LegalAction[]): Moves {
  const moves: Moves = { bids: [], faces: [], sheep: [] };
  for (const action of legal) {
    const { facts } = action;
    switch (facts.kind) {
      case 'chase':
      case 'take':
      case 'steal':
      case 'pass':
      case 'fire':
      case 'stay':
        moves[facts.kind] = action;
        break;
      case 'hold-fire':
        moves.hold = action;
        break;
      case 'bid':
        moves.bids.push({ cubes: facts.cubes, action });
        break;
      case 'face':
        moves.faces.push({ row: facts.row, action });
        break;
      case 'move-sheep':
        moves.sheep.push({ from: facts.from, to: facts.to, token: facts.token, action });
    }
  }
  return moves;
}
