/** What is read aloud: sentences of the log, refusals, whose turn it is. */
import { untrack } from 'svelte';

export const spoken = $state({ polite: '', urgent: '' });

/** Says something to screen readers; `urgent` interrupts. */
export function announce(text: string, urgent = false): void {
  const place = urgent ? 'urgent' : 'polite';
  // The same sentence twice would not be read twice, so a mark that nobody hears alternates.
  // Read untracked: an effect that announces must not run again because it did.
  spoken[place] = untrack(() => spoken[place]) === text ? `${text}\u00a0` : text;
}
