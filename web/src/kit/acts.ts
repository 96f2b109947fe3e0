/**
 * Which controls of a board play an action, or lead to it: `data-acts={acts(action)}` on each. A card that
 * can be played in several ways names them all, so that a hint lights up the card and its target.
 */
import type { LegalAction } from '../api/types';

export function acts(...actions: (LegalAction | null | undefined)[]): string | undefined {
  return actions.flatMap((action) => action?.id ?? []).join(' ') || undefined;
}

/** Selects the controls of an action. */
export function actsOn(id: number): string {
  return `[data-acts~="${id}"]`;
}
