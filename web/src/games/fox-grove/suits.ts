/** How the four colours look: a sign, a tone and a name for each. */
import type { Component } from 'svelte';
import Dewdrop from './art/Dewdrop.svelte';
import FoxHead from './art/FoxHead.svelte';
import Pumpkin from './art/Pumpkin.svelte';
import Violet from './art/Violet.svelte';
import type { Colour } from './view';

export interface SuitLook {
  Mark: Component;
  /** A CSS colour that reads on cards. */
  tone: string;
  /** The same on grounds of the page, light or dark. */
  ink: string;
}

export const SUITS: Record<Colour, SuitLook> = {
  blue: { Mark: Dewdrop, tone: 'var(--card-night)', ink: 'var(--night)' },
  purple: { Mark: Violet, tone: 'var(--card-berry)', ink: 'var(--berry)' },
  orange: { Mark: Pumpkin, tone: 'var(--card-fox)', ink: 'var(--fox)' },
  yellow: { Mark: FoxHead, tone: 'var(--card-wheat)', ink: 'var(--wheat)' },
};
