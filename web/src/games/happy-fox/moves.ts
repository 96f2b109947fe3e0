/** The one place where Happy Fox's notation is read: from legal actions to what can be touched. */

import type { LegalAction } from '../../kit/board';
import type { Kind } from './types';

export interface Moves {
  hand: Partial<Record<Kind, LegalAction>>; // by the card that is played
  turns: Map<number, LegalAction>; // by the victim's card that is turned over
  stop: LegalAction | null;
}

const HAND: Record<string, Kind> = { 'lay goose': 'goose', 'lay dog': 'dog', fox: 'fox' };

/** Reads the turn of a row's card from `turn 7`, null where it is something else. */
export function turnOf(notation: string): number | null {
  const found = /^turn (\d+)$/.exec(notation);
  return found ? Number(found[1]) : null;
}

/** Sorts legal actions by the control that plays them. */
export function movesOf(legal: readonly LegalAction[]): Moves {
  const moves: Moves = { hand: {}, turns: new Map(), stop: null };
  for (const action of legal) {
    const card = HAND[action.notation];
    const turn = turnOf(action.notation);
    if (card) moves.hand[card] = action;
    else if (turn !== null) moves.turns.set(turn, action);
    else if (action.notation === 'stop') moves.stop = action;
  }
  return moves;
}
