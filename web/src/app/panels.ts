/** What can be opened beside a table. */
import type { IconName } from '../kit/Icon.svelte';

export type Panel = 'log' | 'chat' | 'guide' | 'table';

export const panels: Record<Panel, { label: string; icon: IconName }> = {
  log: { label: 'Log', icon: 'log' },
  chat: { label: 'Chat', icon: 'chat' },
  guide: { label: 'Guide', icon: 'guide' },
  table: { label: 'Table', icon: 'people' },
};
