/** What things are called, one of them and many. */
import { KINDS, type Climb, type Kind } from './view';

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

/** Joins things as people do: a, b and c. */
export function listed(things: readonly string[]): string {
  return things.length > 1 ? `${things.slice(0, -1).join(', ')} and ${things.at(-1)}` : things.join('');
}

/** Says what a level takes beyond its printed price, unasked or by choice. */
export function besides({ pays, short, ways }: Climb): string {
  if (pays) {
    const said = KINDS.filter((kind) => pays[kind]).map((kind) => `${pays[kind]} ${nameOf(kind, pays[kind])}`);
    if (pays.berries) said.push(`${pays.berries} ${nameOf('berry', pays.berries)}`);
    return `You pay ${listed(said) || 'nothing'}${pays.owls.length ? ` with ${listed(pays.owls)}` : ''}.`;
  }
  if (!short) return '';
  return `You are ${short} short: use ${ways.map((way) => (way === 'berry' ? nameOf('berry', 2) : way)).join(' or ')}.`;
}
