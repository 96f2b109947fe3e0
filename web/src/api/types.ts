/**
 * What the server says and takes, by the names that it uses. `schema.d.ts` is generated from the server's own schema
 * (`python -m foxden.server.schema > web/schema.json`, then `scripts/npm run types`); only what a schema cannot tell is
 * said here: which game's table, actions and events belong together, and that a table's clock is one that can be asked for.
 */
import type { components } from './schema';

export type Schemas = components['schemas'];

/** An action on offer; `facts` say what it means in the game. */
export type LegalAction<Facts = unknown> = Omit<Schemas['LegalAction'], 'facts'> & { facts: Facts };

/** What one action did, in sentences and as the game's events. */
export type LogEntry<Event = unknown> = Omit<Schemas['LogEntry'], 'events'> & { events: Event[] };

/** What a seat may know: the envelope that is the same in every game, around the game's own table and actions. */
export type View<Table = unknown, Facts = unknown> = Omit<Schemas['View'], 'table' | 'legal'> & {
  table: Table;
  legal: LegalAction<Facts>[];
};
export type Clock = NonNullable<Schemas['NewTable']['clock']>;
export type TableInfo = Omit<Schemas['TableInfo'], 'clock'> & { clock: Clock };

/** A message with its views, log entries and tables as above. */
type Told<Part> = Part extends Schemas['View']
  ? View
  : Part extends Schemas['LogEntry']
    ? LogEntry
    : Part extends Schemas['TableInfo']
      ? TableInfo
      : Part extends (infer Item)[]
        ? Told<Item>[]
        : Part extends object
          ? { [Key in keyof Part]: Told<Part[Key]> }
          : Part;

export type FromServer = Told<Schemas['FromServer']>;
export type FromPeople = Schemas['FromPeople'];
export type Lesson = Told<Schemas['Lesson']>;
export type PositionInfo = Told<Schemas['PositionInfo']>;
export type TableList = Told<Schemas['TableList']>;

export type AuditEntry = Schemas['AuditEntry'];
export type BranchInfo = Schemas['BranchInfo'];
export type Daily = Schemas['Daily'];
export type DailyField = Schemas['Field'];
export type GamePlay = Schemas['GamePlay'];
export type NewBranch = Schemas['NewBranch'];
export type Origin = Schemas['Origin'];
export type PuzzleGame = Schemas['PuzzleGame'];
export type PuzzleInfo = Told<Schemas['PuzzleInfo']>;
export type PuzzleResult = Schemas['PuzzleResult'];
export type Review = Schemas['Review'];
export type ReviewInfo = Schemas['ReviewInfo'];
export type Decision = Schemas['Decision'];
export type Worth = Schemas['Worth'];
export type BanInfo = Schemas['BanInfo'];
export type ChatLine = Schemas['ChatLine'];
export type ChatPage = Schemas['ChatPage'];
export type ClockInfo = Schemas['ClockInfo'];
export type GameInfo = Schemas['GameInfo'];
export type GuestInfo = Schemas['GuestInfo'];
export type Guide = Schemas['Guide'];
export type HintedMove = Schemas['HintedMove'];
export type LevelInfo = Schemas['LevelInfo'];
export type Network = Schemas['Network'];
export type NewBan = Schemas['NewBan'];
export type NewTable = Schemas['NewTable'];
export type OptionInfo = Schemas['OptionInfo'];
export type Pace = Schemas['TableInfo']['pace'];
export type Person = Schemas['Person'];
export type PersonFound = Schemas['PersonFound'];
export type PersonInfo = Schemas['PersonInfo'];
export type PersonalLink = Schemas['PersonalLink'];
export type Problem = Schemas['Problem'];
export type SeatInfo = Schemas['SeatInfo'];
export type Remark = Schemas['Remark'];
export type Setup = Schemas['Setup'];
export type Sitter = Schemas['Sitter'];
