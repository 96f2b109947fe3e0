/** Derives who came, left, resigned or got a stand-in, from two states of the seats. */
import type { SeatInfo } from '../api/types';

/** Describes changes of the other people at a running table. */
export function changes(before: SeatInfo[], now: SeatInfo[], begun: boolean): string[] {
  return now.flatMap((seat, i) => {
    const then = before[i];
    if (!then || then.mine || seat.kind === 'open') return [];
    if (then.kind === 'person' && seat.kind === 'bot') return [`${then.name} resigned. A bot plays on.`];
    if (seat.kind !== 'person' || then.kind !== 'person' || !begun) return [];
    if (seat.standin !== then.standin) return [seat.standin ? `A bot is playing for ${seat.name}.` : `${seat.name} is playing again.`];
    return seat.here === then.here ? [] : [seat.here ? `${seat.name} is back.` : `${seat.name} is away.`];
  });
}
