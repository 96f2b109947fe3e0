/** Happy Fox as the server tells of it, by shorter names. */
import { counted as count } from '../../kit/words';
import type { BoardProps } from '../../kit/board';
import type { LegalAction as Legal, LogEntry, Schemas } from '../../api/types';

export type Table = Schemas['HappyFoxTable'];
export type Place = Schemas['HappyFoxPlace'];
export type Counts = Schemas['HappyFoxCounts'];
export type Goose = Schemas['HappyFoxGoose'];
export type Kind = Schemas['HappyFoxLay']['card'];
export type LegalAction = Legal<Schemas['HappyFoxAction']>;
export type Event = Schemas['HappyFoxEvent'];
export type Entry = LogEntry<Event>;
export type Props = BoardProps<Table, Schemas['HappyFoxAction'], Event>;

/** The order in which kinds are sorted and counted. */
export const KINDS: readonly Kind[] = ['goose', 'fox', 'dog'];

export const PLURALS: Record<Kind, string> = { goose: 'geese', fox: 'foxes', dog: 'dogs' };

/** Counts cards: "1 goose", "3 geese". */
export function counted(n: number, kind: Kind): string {
  return count(n, kind, PLURALS[kind]);
}
