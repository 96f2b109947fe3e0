/** Foxy & Woolly as the server tells of it, by shorter names. */
import type { BoardProps } from '../../kit/board';
import type { LegalAction as Legal, Schemas } from '../../api/types';

export type Table = Schemas['FoxyAndWoollyTable'];
export type Seat = Schemas['FoxyAndWoollyPlace'];
/** How a seat's points come about in the final count. */
export type Count = Schemas['FoxyAndWoollyCount'];
export type RowName = Seat['row_wolves'][number];
/** A token of the line: a wolf or a special. */
export type Token = Table['line'][number];
export type Wolf = NonNullable<Table['danger']>['wolf'];
export type Mover = Seat['used'][number]['token'];
export type Scoring = Count['tokens'][number]['token'];
export type LegalAction = Legal<Schemas['FoxyAndWoollyAction']>;
export type Event = Schemas['FoxyAndWoollyEvent'];
export type Props = BoardProps<Table, Schemas['FoxyAndWoollyAction'], Event>;

/** From the top. */
export const ROWS: readonly RowName[] = ['top', 'mid', 'low'];

export const ROW_NAMES: Record<RowName, string> = { top: 'top', mid: 'middle', low: 'bottom' };

/** What a wolf hunts: the sheep of a slot, or of a row. */
export const PREY: Record<Wolf, number | RowName> = {
  'wolf 1': 1,
  'wolf 2': 2,
  'wolf 3': 3,
  'wolf 4': 4,
  'wolf 5': 5,
  'wolf 6': 6,
  'wolf 7': 7,
  'wolf 8': 8,
  'wolf 9': 9,
  'wolf top': 'top',
  'wolf mid': 'mid',
  'wolf low': 'low',
};
