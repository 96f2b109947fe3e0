/** A Game of Fox & Squirrels as the server tells of it, by shorter names. */
import type { BoardProps } from '../../kit/board';
import type { LegalAction as Legal, LogEntry, Schemas } from '../../api/types';

/** Rank and suit (`9h`, `10c`, `qs`, `ad`), or `fox`. */
export type CardName = string;

export type Table = Schemas['FoxAndSquirrelsTable'];
export type Place = Schemas['FoxAndSquirrelsPlace'];
export type Pile = Schemas['FoxAndSquirrelsPile'];
export type Season = Table['season'];
export type LegalAction = Legal<Schemas['FoxAndSquirrelsAction']>;
export type Event = Schemas['FoxAndSquirrelsEvent'];
export type Entry = LogEntry<Event>;
export type Props = BoardProps<Table, Schemas['FoxAndSquirrelsAction'], Event>;
