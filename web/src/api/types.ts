/**
 * What the server says and takes, by the names that it uses. `schema.d.ts` is generated from the server's own schema
 * (`python -m foxden.server.schema > web/schema.json`, then `scripts/npm run types`); only what a schema cannot tell is
 * said here: a view's table is the game's own, and a table's clock is one of those that can be asked for.
 */
import type { components } from './schema';

type Schemas = components['schemas'];

/** What a seat may know: the envelope that is the same in every game, around the game's table. */
export type View<Table = unknown> = Omit<Schemas['View'], 'table' | 'tally'> & {
  table: Table;
  /** For each seat the lines of its score: what, and how many points. */
  tally?: [string, number][][];
};
export type Clock = NonNullable<Schemas['NewTable']['clock']>;
export type TableInfo = Omit<Schemas['TableInfo'], 'clock'> & { clock: Clock };

/** A message with its views and tables as above. */
type Told<Part> = Part extends Schemas['View']
  ? View
  : Part extends Schemas['TableInfo']
    ? TableInfo
    : Part extends (infer Item)[]
      ? Told<Item>[]
      : Part extends object
        ? { [Key in keyof Part]: Told<Part[Key]> }
        : Part;

export type FromServer = Told<Schemas['FromServer']>;
export type FromPeople = Schemas['FromPeople'];
export type PositionInfo = Told<Schemas['PositionInfo']>;
export type TableList = Told<Schemas['TableList']>;

export type AuditEntry = Schemas['AuditEntry'];
export type BanInfo = Schemas['BanInfo'];
export type ChatLine = Schemas['ChatLine'];
export type ChatPage = Schemas['ChatPage'];
export type ClockInfo = Schemas['ClockInfo'];
export type GameInfo = Schemas['GameInfo'];
export type GuestInfo = Schemas['GuestInfo'];
export type Guide = Schemas['Guide'];
export type HintedMove = Schemas['HintedMove'];
export type LegalAction = Schemas['LegalAction'];
export type LevelInfo = Schemas['LevelInfo'];
export type LogEntry = Schemas['LogEntry'];
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
export type Setup = Schemas['Setup'];
export type Sitter = Schemas['Sitter'];
