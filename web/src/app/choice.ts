/** What a person chose last time for a game: how many seats, and one level for all bots. */
import type { GameInfo } from '../api/types';
import { keep, kept } from './kept';

export interface Choice {
  seats: number;
  level: number;
}

const EASY = 2; // the level that somebody new plays against

export function lastChoice(game: GameInfo): Choice {
  const { seats, level } = kept<Choice>(`play.${game.name}`, { seats: game.usual, level: EASY });
  return { seats: game.seats.includes(seats) ? seats : game.usual, level };
}

export function keepChoice(game: GameInfo, choice: Choice): void {
  keep(`play.${game.name}`, choice);
}
