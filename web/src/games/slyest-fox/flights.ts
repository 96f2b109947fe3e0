/** What flies over the board when something happens. */
import type { Flight } from '../../kit/flights.svelte';
import { deckOf, type Deck, type Event, type Kind } from './view';

const TONES: Record<Deck, string> = { attack: 'var(--card-maple)', defence: 'var(--card-night)' };
const LIFE = '#e0566b';
const FEW = 3; // of many, to stand for all

const moved = (from: string, to: string, deck: Deck, count = 1): Flight => ({ from, to, card: true, tone: TONES[deck], count });
const dropped = (seat: number, kind: Kind, count = 1): Flight => moved(`seat ${seat}`, `deck ${deckOf(kind)}`, deckOf(kind), count);
const played = (seat: number, deck: Deck): Flight => moved(`seat ${seat}`, 'arena', deck);

export function flightsOf(event: Event): Flight[] {
  switch (event.kind) {
    case 'card-drawn':
      return [moved(`deck ${event.deck}`, `seat ${event.seat}`, event.deck)];
    case 'attack-began':
      return [played(event.seat, 'attack')];
    case 'card-played':
      return [played(event.seat, deckOf(event.card))];
    case 'character-used':
      return [played(event.seat, event.side)];
    case 'attack-ended':
      return [
        ...(event.result === 'succeeded' ? [{ from: `seat ${event.target}`, to: 'arena', tone: LIFE }] : []),
        moved('arena', 'deck attack', 'attack', Math.min(FEW, event.attacks)),
        moved('arena', 'deck defence', 'defence', Math.min(FEW, event.defences)),
      ];
    case 'cards-taken':
      return [moved(`seat ${event.loser}`, `seat ${event.taker}`, 'attack', event.count)];
    case 'cards-traded':
      return [dropped(event.seat, event.given, 2), moved(`deck ${deckOf(event.taken)}`, `seat ${event.seat}`, deckOf(event.taken))];
    case 'card-discarded':
      return [dropped(event.seat, event.card)];
    case 'protection-ended':
      return [dropped(event.seat, 'dont-care')];
    case 'hands-laid-down':
      return event.seats.map((seat) => moved(`seat ${seat}`, 'deck attack', 'attack', FEW));
    default:
      return [];
  }
}
