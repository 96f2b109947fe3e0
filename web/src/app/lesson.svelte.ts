/** A learner's progress in a lesson: the step, the board's view, and the coach's answer. */
import { tick } from 'svelte';
import type { LegalAction, Lesson, SeatInfo } from '../api/types';
import { still } from '../kit/motion';
import { keep, kept } from './kept';

export type Frame = Lesson['steps'][number]['frames'][number];
interface Answer {
  text: string;
  rule: string | null;
}

const PAUSE = 1100; // ms between moves of others
const SOON = 320; // where many follow each other
const MANY = 6;
const LINES = 5; // of what happened meanwhile

/** Names the games whose lesson was finished on this device. */
export function learned(): string[] {
  return kept<string[]>('learned', []);
}

/** Tells a board who sits where in a lesson. */
export function seatsOf(lesson: Lesson, { view }: Frame): SeatInfo[] {
  return view.names.map((name, seat) => {
    const mine = seat === lesson.seat;
    return { seat, name, mine, kind: mine ? 'person' : 'bot', level: null, standin: false, resigned: false, here: true, replace_in: null, voice: null };
  });
}

export class LessonRun {
  at = $state(0);
  frame = $state.raw<Frame>() as Frame;
  /** What has happened on the way to this step, in sentences. */
  meanwhile = $state.raw<string[]>([]);
  /** Others are playing. */
  moving = $state(false);
  answer = $state.raw<Answer | null>(null);
  private hurried = false;
  private goOn: (() => void) | null = null;

  constructor(readonly lesson: Lesson) {
    const { at, of } = kept(this.key, { at: 0, of: 0 });
    this.jump(of === lesson.steps.length && at < of - 1 ? at : 0);
  }

  private get key(): string {
    return `lesson.${this.lesson.game}`;
  }

  get step(): Lesson['steps'][number] {
    return this.lesson.steps[this.at]!;
  }

  get finished(): boolean {
    return this.at === this.lesson.steps.length - 1;
  }

  /** Plays the learner's move if the step wants it; otherwise explains it. */
  choose(action: LegalAction): void {
    if (this.moving) return;
    if (action.id === this.step.action) return void this.next();
    const known = this.step.wrong.find((wrong) => wrong.action === action.id);
    this.reply(known ? { text: known.answer, rule: known.rule } : { text: 'You may do that in a match. Here, try what the ring marks.', rule: null });
  }

  reply(answer: Answer): void {
    this.answer = answer;
  }

  /** Goes on to the next step, letting the others play on the way. */
  async next(): Promise<void> {
    if (this.moving || this.finished) return;
    const { frames } = this.lesson.steps[this.at + 1]!;
    this.answer = null;
    this.meanwhile = [];
    this.moving = true;
    this.hurried = still();
    const pause = frames.length > MANY ? SOON : PAUSE;
    for (const [i, frame] of frames.entries()) {
      if (i > 0) await this.pause(pause);
      this.frame = frame;
      // The learner has just made the first move and knows it.
      const told = i > 0 || this.step.action === null ? frame.log.flatMap((entry) => entry.says) : [];
      this.meanwhile = [...this.meanwhile, ...told].slice(-LINES);
    }
    if (frames.length > 1) await this.pause(PAUSE);
    this.moving = false;
    this.arrive(this.at + 1);
  }

  /** Shows the rest of the others' moves at once. */
  hurry(): void {
    this.hurried = true;
    this.goOn?.();
  }

  private async pause(ms: number): Promise<void> {
    if (this.hurried) return tick();
    return new Promise((done) => {
      this.goOn = done;
      setTimeout(done, ms);
    });
  }

  /** Goes straight to a step. */
  jump(to: number): void {
    if (this.moving) return;
    this.meanwhile = [];
    this.answer = null;
    const shown = this.lesson.steps.slice(0, to + 1).flatMap((step) => step.frames);
    this.frame = shown.at(-1)!;
    this.arrive(to);
  }

  private arrive(at: number): void {
    this.at = at;
    keep(this.key, { at, of: this.lesson.steps.length });
    if (this.finished) keep('learned', [...new Set([...learned(), this.lesson.game])]);
  }
}
