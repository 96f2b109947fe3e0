/** What the server says and takes. The names are those of its messages and models. */

/** One legal action of the seat asked. */
export interface LegalAction {
  id: number;
  notation: string;
  says: string;
}

/** What a seat may know: the envelope that is the same in every game, around the game's table. */
export interface View<Table = unknown> {
  game: string;
  rules_version: number;
  options: Record<string, unknown>;
  names: string[];
  seat: number | null;
  ply: number;
  to_act: number | null;
  question: string;
  rules_now: string[];
  legal: LegalAction[];
  table: Table;
  scores?: number[];
  winners?: number[];
  /** For each seat the lines of its score: what, and how many points. */
  tally?: [string, number][][];
}

export interface SeatInfo {
  seat: number;
  kind: 'open' | 'person' | 'bot';
  name: string;
  level: number | null;
  standin: boolean;
  mine: boolean;
  here: boolean;
}

export interface ClockInfo {
  now: number;
  due: number | null;
  left: (number | null)[];
}

export type Clock =
  | { kind: 'none' }
  | { kind: 'move'; seconds: number }
  | { kind: 'match'; minutes: number; increment: number }
  | { kind: 'days'; days: number };

export type Pace = 'relaxed' | 'brisk' | 'instant';

export interface TableInfo {
  id: string;
  game: string;
  title: string;
  rules_version: number;
  status: 'open' | 'running' | 'over';
  seats: SeatInfo[];
  options: Record<string, unknown>;
  parts: Record<string, unknown>;
  clock: Clock;
  access: 'listed' | 'link';
  watch: 'anyone' | 'seated';
  hints: boolean;
  pace: Pace;
  host: boolean;
  invite: string | null;
  seed_hash: string;
  seed: string | null;
  ply: number;
  to_act: number | null;
  scores: number[] | null;
  winners: number[] | null;
  created: number;
  changed: number;
  watchers: number;
  rematch: string | null;
}

export interface LogEntry {
  ply: number;
  seat: number;
  action: string;
  says: string[];
}

export interface ChatLine {
  number: number;
  name: string;
  seat: number | null;
  text: string;
  at: number;
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  field?: string | null;
  rule?: string | null;
}

export interface HintedMove {
  action: number;
  notation: string;
  says: string;
  value: number;
  share: number;
}

export type FromServer =
  | {
      type: 'sync';
      table: TableInfo;
      seat: number | null;
      view: View | null;
      log: LogEntry[];
      chat: ChatLine[];
      clock: ClockInfo;
    }
  | { type: 'update'; view: View; log: LogEntry[]; clock: ClockInfo }
  | { type: 'table'; table: TableInfo }
  | { type: 'chat'; line: ChatLine }
  | { type: 'done'; ref: number; ply: number }
  | { type: 'refused'; ref: number; problem: Problem }
  | { type: 'hints'; ref: number; ply: number; moves: HintedMove[] }
  | { type: 'pong'; ref: number; now: number }
  | { type: 'bye'; reason: string; seconds: number };

export type FromPeople =
  | { type: 'play'; seat: number; ply: number; action: number }
  | { type: 'look'; seat: number | null }
  | { type: 'say'; text: string }
  | { type: 'hint' }
  | { type: 'standin'; seat: number; level: number | null }
  | { type: 'ping' };

export interface Sitter {
  kind: 'me' | 'bot' | 'open';
  name?: string | null;
  level?: number;
}

export interface NewTable {
  game: string;
  seats: Sitter[];
  options?: Record<string, unknown>;
  parts?: Record<string, unknown>;
  clock?: Clock;
  access?: 'listed' | 'link';
  watch?: 'anyone' | 'seated';
  hints?: boolean;
  pace?: Pace;
}

export interface Setup {
  seats: number;
  options: Record<string, unknown>;
  parts?: Record<string, unknown>;
}

export interface Person {
  id: string;
  name: string;
}

export interface PersonalLink {
  path: string;
  expires: number;
}

export interface OptionInfo {
  name: string;
  kind: 'flag' | 'choice' | 'number' | 'texts';
  help: string;
  rules: string[];
  standard: unknown;
  choices?: Record<string, string> | null;
  low?: number | null;
  high?: number | null;
  most?: number | null;
  longest?: number | null;
}

export interface LevelInfo {
  level: number;
  name: string;
  says: string;
}

export interface GameInfo {
  name: string;
  title: string;
  blurb: string;
  kind: string;
  minutes: string;
  seats: number[];
  usual: number;
  rules_version: number;
  options: OptionInfo[];
  levels: LevelInfo[];
  ready: number;
}

export interface Guide {
  game: string;
  title: string;
  html: string;
  rules: Record<string, string>;
}

export interface TableList {
  mine: TableInfo[];
  open: TableInfo[];
  recent: TableInfo[];
}

export interface PositionInfo {
  ply: number;
  plies: number;
  seat: number | null;
  open: boolean;
  view: View;
  log: LogEntry[];
}
