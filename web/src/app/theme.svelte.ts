/** Light, dark, or as the device has it; remembered on this device. */
export type Theme = 'device' | 'light' | 'dark';

const KEY = 'foxden.theme';

export const theme = $state<{ chosen: Theme }>({ chosen: 'device' });

export function choose(chosen: Theme): void {
  theme.chosen = chosen;
  if (chosen === 'device') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  localStorage.setItem(KEY, chosen);
}

export function recallTheme(): void {
  const kept = localStorage.getItem(KEY);
  if (kept === 'light' || kept === 'dark') choose(kept);
}
