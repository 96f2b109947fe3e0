/** Which choices of a new table can be combined; asks the server once for each combination. */
import { api, Refusal } from '../api/rest';
import type { GameInfo, OptionInfo } from '../api/types';

export type Options = Record<string, unknown>;

/** Returns the values of an option that a form shows side by side. */
export function values(option: OptionInfo): unknown[] {
  if (option.kind === 'flag') return [false, true];
  return option.kind === 'choice' ? Object.keys(option.choices ?? {}) : [];
}

/** Leaves out default values. */
export function chosen(game: GameInfo, options: Options): Options {
  const changed = game.options.filter(
    ({ name, standard }) => name in options && JSON.stringify(options[name]) !== JSON.stringify(standard),
  );
  return Object.fromEntries(changed.map(({ name }) => [name, $state.snapshot(options[name])]));
}

export class Possible {
  /** Why a value cannot be chosen with what is chosen now, by "seats 5" or "option teams true". */
  why = $state.raw<Record<string, string>>({});
  /** Why the current choice cannot be played, and the field concerned. */
  problem = $state.raw<{ field: string | null; says: string } | null>(null);

  private asked = new Map<string, Promise<Refusal | null>>();
  private turn = 0;

  constructor(private game: GameInfo) {}

  /** Tries the current choice, then every single change of it. */
  async look(seats: number, options: Options): Promise<void> {
    const turn = ++this.turn;
    const refusal = await this.ask(seats, options);
    if (turn !== this.turn) return;
    this.problem = refusal && { field: refusal.problem.field ?? null, says: refusal.message };
    const trials: [string, number, Options][] = this.game.seats.map((n) => [`seats ${n}`, n, options]);
    for (const option of this.game.options) {
      for (const value of values(option)) {
        trials.push([`option ${option.name} ${value}`, seats, { ...options, [option.name]: value }]);
      }
    }
    const found = await Promise.all(
      trials.map(async ([key, n, changed]) => [key, await this.ask(n, changed)] as const),
    );
    if (turn !== this.turn) return;
    this.why = Object.fromEntries(found.flatMap(([key, refusal]) => (refusal ? [[key, refusal.message]] : [])));
  }

  private ask(seats: number, options: Options): Promise<Refusal | null> {
    const setup = { seats, options: chosen(this.game, options) };
    const key = JSON.stringify(setup);
    let answer = this.asked.get(key);
    if (!answer) {
      answer = api.check(this.game.name, setup).then(
        () => null,
        (error: Refusal) => {
          if (error.problem.status === 422) return error;
          this.asked.delete(key); // offline or rate-limited: no answer, so forbid nothing
          return null;
        },
      );
      this.asked.set(key, answer);
    }
    return answer;
  }
}
