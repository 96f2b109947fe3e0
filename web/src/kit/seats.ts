/** Each seat has a colour and an animal, so that neither has to be told apart alone. */
import type { Component } from 'svelte';
import Badger from '~icons/fluent-emoji-flat/badger';
import Bear from '~icons/fluent-emoji-flat/bear';
import Chipmunk from '~icons/fluent-emoji-flat/chipmunk';
import Deer from '~icons/fluent-emoji-flat/deer';
import Frog from '~icons/fluent-emoji-flat/frog';
import Hedgehog from '~icons/fluent-emoji-flat/hedgehog';
import Owl from '~icons/fluent-emoji-flat/owl';
import Rabbit from '~icons/fluent-emoji-flat/rabbit-face';

export interface SeatLook {
  /** A CSS colour for rings, bars and backs; text on it is `ink`. */
  colour: string;
  ink: string;
  animal: string;
  Animal: Component;
}

const animals: [string, Component][] = [
  ['hedgehog', Hedgehog],
  ['owl', Owl],
  ['rabbit', Rabbit],
  ['badger', Badger],
  ['chipmunk', Chipmunk],
  ['deer', Deer],
  ['frog', Frog],
  ['bear', Bear],
];

/** Gives the look of a seat, the same for everybody at the table. */
export function seatLook(seat: number): SeatLook {
  const n = seat % animals.length;
  const [animal, Animal] = animals[n]!;
  return { colour: `var(--seat-${n})`, ink: 'var(--seat-ink)', animal, Animal };
}
