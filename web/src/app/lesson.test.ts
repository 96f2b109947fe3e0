import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Lesson } from '../api/types';
import { fixtures } from '../gallery/fixtures';
import { learned, LessonRun } from './lesson.svelte';
import { pointed } from './pointed';

const { view } = Object.values(fixtures)[0]!.find((one) => one.view.legal.length > 1)!;
const [right, other, third] = [...view.legal, { id: 997 }, { id: 998 }, { id: 999 }] as (typeof view.legal);
const frame = (...says: string[]) => ({ view, log: says.map((line, ply) => ({ ply, seat: 0, action: '', says: [line], events: [] })) });

const step = { say: '', point: [], action: null, wrong: [], rules: [], frames: [] };
const lesson = {
  game: 'some', title: 'Some', minutes: 5, seat: 0,
  steps: [
    { ...step, say: 'Welcome.', frames: [frame()] },
    { ...step, say: 'Play it.', action: right!.id, wrong: [{ ask: 'That?', answer: 'Too early.', rule: null, action: other!.id }] },
    { ...step, say: 'Well played.', frames: [frame('You play.'), frame('Mia plays.')] },
    { ...step, say: 'Goodbye.' },
  ],
} as Lesson;

beforeEach(() => {
  localStorage.clear();
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
});

describe('a lesson', () => {
  it('goes on only with the move that the step is about, and tells what happened meanwhile', async () => {
    const run = new LessonRun(lesson);
    await run.next();
    run.choose(other!);
    expect(run.answer?.text).toBe('Too early.');
    run.choose(third!);
    expect(run.answer?.text).toContain('You may do that in a match');
    expect(run.at).toBe(1);
    run.choose(right!);
    await vi.waitFor(() => expect(run.at).toBe(2));
    expect(run.answer).toBeNull();
    expect(run.meanwhile).toEqual(['Mia plays.']);
    expect(run.frame).toBe(lesson.steps[2]!.frames[1]);
  });

  it('takes nothing while others play', async () => {
    const run = new LessonRun(lesson);
    run.jump(1);
    run.moving = true;
    run.choose(right!);
    run.choose(other!);
    expect([run.at, run.answer]).toEqual([1, null]);
  });

  it('is taken up where it was left, and begins anew once it was finished or has changed', async () => {
    const first = new LessonRun(lesson);
    await first.next();
    expect(new LessonRun(lesson).at).toBe(1);
    expect(new LessonRun({ ...lesson, steps: lesson.steps.slice(0, 3) }).at).toBe(0);
    expect(learned()).toEqual([]);
    first.jump(2);
    expect(first.frame).toBe(lesson.steps[2]!.frames[1]);
    await first.next();
    expect(first.finished).toBe(true);
    expect(first.frame).toBe(lesson.steps[2]!.frames[1]);
    expect(learned()).toEqual(['some']);
    expect(new LessonRun(lesson).at).toBe(0);
  });
});

it('points at the first name in sight, and at a control before a picture', () => {
  document.body.innerHTML = `
    <div aria-label="Your hand, 2 cards"><span aria-label="goose one"></span><button aria-label="goose two"></button></div>
    <button>Lay   the goose</button><button class="unseen">Ready</button>`;
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({ width: 10, height: 10 } as DOMRect);
  const found = (...names: string[]) => pointed(document.body, names);
  expect(found('goose')!.tagName).toBe('BUTTON');
  expect(found('Lay the goose', 'goose')!.textContent).toContain('Lay');
  expect(found('Your hand')!.tagName).toBe('DIV');
  expect(found('Ready')).toBeNull();
  expect(found()).toBeNull();
});
