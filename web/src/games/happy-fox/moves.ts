/** From legal actions to what can be touched. */
import type { Kind, LegalAction } from './view';

export interface Moves {
  hand: Partial<Record<Kind, LegalAction>>; // by the card that is played
  turns: Map<number, LegalAction>; // by the victim's card that is turned over
  stop: LegalAction | null;
}

/** Sorts legal actions by the control that plays them. */
export function movesOf(legal: readonly LegalAction[]): Moves {
  const moves: Moves = { hand: {}, turns: new Map(), stop: null };
  for (const action of legal) {
    const { facts } = action;
    switch (facts.kind) {
      case 'lay':
        moves.hand[facts.card] = action;
        break;
      case 'send-fox':
        moves.hand.fox = action;
        break;
      case 'turn-over':
        moves.turns.set(facts.turn, action);
        break;
      case 'stop':
        moves.stop = action;
    }
  }
  return moves;
}
