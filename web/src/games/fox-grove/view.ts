/** Fox Grove as the server tells of it, by shorter names. */
import type { BoardProps } from '../../kit/board';
import type { LegalAction as Legal, LogEntry, Schemas } from '../../api/types';

export type Table = Schemas['FoxGroveTable'];
export type Seat = Schemas['FoxGrovePlace'];
export type Advance = Schemas['FoxGroveAdvance'];
export type Played = Schemas['FoxGrovePlayedCard'];
export type Stock = Schemas['FoxGroveStock'];
export type Units = Schemas['FoxGroveUnits'];
export type Climb = Schemas['FoxGroveClimb'];
export type Facts = Schemas['FoxGroveAction'];
export type LegalAction = Legal<Facts>;
export type Event = Schemas['FoxGroveEvent'];
export type Entry = LogEntry<Event>;
export type Props = BoardProps<Table, Facts, Event>;

export type Phase = Table['phase'];
export type Colour = Seat['voids'][number];
export type Kind = keyof Stock;
export type House = keyof Seat['levels'];
export type Owl = Seat['owls'][number]['owl'];
/** What a card gives, one by one. */
export type Good = Table['gives'][string][number];

/** "blue 4". */
export type CardName = string;

export const COLOURS: readonly Colour[] = ['blue', 'purple', 'orange', 'yellow'];
export const NUMBERS: readonly number[] = Array.from({ length: 13 }, (_, i) => i + 1);
export const KINDS: readonly Kind[] = ['wood', 'nut', 'maple'];
export const HOUSES: readonly House[] = ['tree', 'mushroom', 'leaf'];

export interface Card {
  colour: Colour;
  number: number;
}

const CARDS = new Map<CardName, Card>(
  COLOURS.flatMap((colour) => NUMBERS.map((number) => [`${colour} ${number}`, { colour, number }])),
);

/** Returns the colour and number of a card. */
export function cardOf(name: CardName): Card {
  return CARDS.get(name)!;
}
