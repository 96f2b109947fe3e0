/** What a person has chosen for this device. */
import { keep, kept } from './kept';

export interface Chosen {
  /** Plays the only legal move if it shows nothing new. */
  forced: boolean;
  /** Tips on what happens for the first time. */
  tips: boolean;
  /** How loud sounds are, 0 to 1; null while nobody has been asked. */
  volume: number | null;
  /** Browser notifications while the page is hidden; null while nobody has been asked. */
  notify: boolean | null;
}

export const settings = $state<Chosen>({
  forced: kept('forced', true),
  tips: kept('tips', true),
  volume: kept<number | null>('volume', null),
  notify: kept<boolean | null>('notify', null),
});

export function set<Name extends keyof Chosen>(name: Name, value: Chosen[Name]): void {
  settings[name] = value;
  keep(name, value);
}
