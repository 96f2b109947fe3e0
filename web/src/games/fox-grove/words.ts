/** What things are called, one of them and many. */
import type { Kind } from './types';

const NAMES: Record<Kind | 'any' | 'berry', [one: string, many: string]> = {
  wood: ['wood', 'wood'],
  nut: ['nut', 'nuts'],
  maple: ['maple', 'maple'],
  any: ['of any kind', 'of any kind'],
  berry: ['blackberry', 'blackberries'],
};

/** Names so many of a kind. */
export function nameOf(kind: Kind | 'any' | 'berry', count: number): string {
  return NAMES[kind][count === 1 ? 0 : 1];
}

export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
