/** What is read aloud: sentences of the log, refusals, whose turn it is. */
export const spoken = $state({ polite: '', urgent: '' });

/** Says something to screen readers; `urgent` interrupts. */
export function announce(text: string, urgent = false): void {
  const place = urgent ? 'urgent' : 'polite';
  // The same sentence twice would not be read twice, so a mark that nobody hears alternates.
  spoken[place] = spoken[place] === text ? `${text}\u00a0` : text;
}
