/** A suit's colour and shape. */
import type { Component } from 'svelte';
import Club from './art/Club.svelte';
import Diamond from './art/Diamond.svelte';
import Heart from './art/Heart.svelte';
import Spade from './art/Spade.svelte';
import { suitOf, type Suit } from './cards';
import type { CardName } from './view';

const LOOKS: Record<Suit, { tone: string; Mark: Component }> = {
  c: { tone: 'var(--card-moss)', Mark: Club },
  d: { tone: 'var(--card-fox)', Mark: Diamond },
  h: { tone: 'var(--card-maple)', Mark: Heart },
  s: { tone: 'var(--card-night)', Mark: Spade },
};

export const lookOf = (card: CardName): { tone: string; Mark: Component } => LOOKS[suitOf(card)];
