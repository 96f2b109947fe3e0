/** What the page gives a board, and how boards and box art are found. */
import type { Component } from 'svelte';
import type { LegalAction, LogEntry, SeatInfo, View } from '../api/types';

export type { LegalAction, LogEntry, SeatInfo, View };

export interface BoardProps<Table = any, Facts = any, Event = any> {
  /** What this viewer may know; `legal` is empty when it is not this viewer's decision. */
  view: View<Table, Facts>;
  seats: SeatInfo[];
  /** What happened since the last view, for motion. The page announces it. */
  log: LogEntry<Event>[];
  /** What the viewer has lost since they last played, in a few words each: `Lost` draws it. */
  lost?: string[];
  /** Plays one of `view.legal`. With a `confirm` sentence, the page asks first. */
  act: (action: LegalAction, confirm?: string) => void;
  /** Sent and not yet answered, offline, or replaying: draw, but offer nothing. */
  busy: boolean;
  /** False where the position stands alone, in a review or a puzzle: nothing is waited for, nothing settled ahead. */
  goesOn?: boolean;
}

/** Draws the things that a rule of the guide speaks of; `table` has their printed numbers. */
export interface PictureProps<Table = any> {
  rule: string;
  table: Table;
}

interface Pictures {
  default: Component<PictureProps>;
  /** The rules that have a picture. */
  RULES: readonly string[];
}

const boards = import.meta.glob<{ default: Component<BoardProps> }>('../games/*/Board.svelte');
const quiet = import.meta.glob<{ default: readonly string[] }>('../games/*/quiet.ts', { eager: true });
/** Says what a seat lost in some moves, in a few words each. */
export type LossesOf<Event = any> = (log: readonly LogEntry<Event>[], seat: number, names: readonly string[]) => string[];

const losses = import.meta.glob<{ default: LossesOf }>('../games/*/losses.ts', { eager: true });
const pictures = import.meta.glob<Pictures>('../games/*/Pictures.svelte');
const boxes = import.meta.glob<{ default: Component }>('../games/*/Box.svelte', { eager: true });

/** Loads a game's board; undefined where it has none. */
export async function boardOf(game: string): Promise<Component<BoardProps> | undefined> {
  return (await boards[`../games/${game}/Board.svelte`]?.())?.default;
}

/** Tells whether an action shows its player nothing new, so that it can be played unasked where it is the only one. */
export function isQuiet(game: string, action: LegalAction): boolean {
  const { kind } = action.facts as { kind?: string };
  return quiet[`../games/${game}/quiet.ts`]?.default.includes(kind ?? '') ?? false;
}

/** Says what a seat has lost since it last played, by that move or after it. */
export function lostBy(game: string, log: readonly LogEntry[], seat: number | null, names: readonly string[]): string[] {
  const since = log.findLastIndex((entry) => entry.seat === seat);
  if (seat === null || since < 0) return [];
  return losses[`../games/${game}/losses.ts`]?.default(log.slice(since), seat, names) ?? [];
}

/** Loads the pictures of a game's guide; undefined where it has none. */
export async function picturesOf(game: string): Promise<Pictures | undefined> {
  return pictures[`../games/${game}/Pictures.svelte`]?.();
}

/** Returns the picture on a game's box; undefined where it has none. */
export function boxOf(game: string): Component | undefined {
  return boxes[`../games/${game}/Box.svelte`]?.default;
}

/** Returns the seats in the order of play, the viewer (or seat 0) first. */
export function aroundTable(view: View): number[] {
  const first = view.seat ?? 0;
  return view.names.map((_, i) => (first + i) % view.names.length);
}
