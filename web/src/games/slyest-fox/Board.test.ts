import { fireEvent, render } from '@testing-library/svelte';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fixtures, seatsOf, type Fixture } from '../../gallery/fixtures';
import Board from './Board.svelte';
import type { AttackEnded, Entry, LegalAction } from './view';

const all = fixtures['slyest-fox']!;

type Facts = LegalAction['facts'];

function sit({ view, log }: Fixture, busy = false) {
  const played: number[] = [];
  const asked: (string | undefined)[] = [];
  const { container, rerender } = render(Board, {
    props: {
      view,
      seats: seatsOf(view),
      log,
      busy,
      act: (action, confirm) => {
        played.push(action.id);
        asked.push(confirm);
      },
    },
  });
  const buttons = () => [...container.querySelectorAll('button')];
  const named = (name: RegExp) =>
    buttons().find((button) => name.test(button.getAttribute('aria-label') ?? button.textContent!.trim()))!;
  return { container, rerender, played, asked, buttons, named };
}

/** The actions of a kind that are on offer. */
const offered = ({ view }: Fixture, facts: Partial<Facts>) =>
  view.legal.filter((action) => Object.entries(facts).every(([key, value]) => action.facts[key] === value));

const has = (facts: Partial<Facts>) => all.find((fixture) => offered(fixture, facts).length > 0)!;

describe('the board', () => {
  test.each(all)('$name: every legal action can be pressed, and nothing else', async (fixture) => {
    const { container, played, buttons, named } = sit(fixture);
    const back = () => named(/^Cancel$/);
    for (let i = 0; i < buttons().length; i++) {
      await fireEvent.click(buttons()[i]!);
      // Where that only picked something, press all that is offered for it.
      const offered = back() ? container.querySelectorAll('.offers button').length - 1 : 0;
      for (let n = 0; n < offered; n++) {
        if (!back()) await fireEvent.click(buttons()[i]!);
        await fireEvent.click(container.querySelectorAll('.offers button')[n]!);
      }
      if (back()) await fireEvent.click(back());
    }
    const legal = fixture.view.legal.map(({ id }) => id);
    expect([...new Set(played)].sort((a, b) => a - b)).toEqual(legal.sort((a, b) => a - b));
  });

  test.each(all)('$name: every control is reached by keyboard', async (fixture) => {
    const { buttons } = sit(fixture);
    const found = new Set<Element>();
    for (const stop of buttons().filter((button) => button.tabIndex === 0)) {
      stop.focus();
      for (let i = 0; i <= buttons().length; i++) {
        found.add(document.activeElement!);
        await fireEvent.keyDown(document.activeElement!, { key: 'ArrowRight' });
      }
    }
    expect(found.size).toBe(buttons().length);
  });

  test.each(all.filter(({ view }) => view.legal.length))('$name: busy, it offers nothing', (fixture) => {
    expect(sit(fixture, true).buttons()).toEqual([]);
  });

  test('a card and a fox make an attack; a card that can be either is asked about', async () => {
    const { played, named, container } = sit(has({ kind: 'attack', target: 0, card: 'universal-attack' }));
    await fireEvent.click(named(/^Universal attack/));
    await fireEvent.click(named(/^Attack Mia$/));
    expect(played).toEqual([]);
    expect([...container.querySelectorAll('.offers button')].map((b) => b.textContent!.trim()).slice(0, 2)).toEqual([
      'Attack Mia as gossip',
      'Attack Mia as trap',
    ]);
  });

  test('a challenge does not glow, and says what it costs before it is made', async () => {
    const fixture = has({ kind: 'challenge' });
    const { container, named } = sit(fixture);
    for (const { facts } of offered(fixture, { kind: 'challenge' })) {
      const seat = container.querySelector(`[data-seat="${facts.seat}"]`)!;
      expect([...seat.classList]).toContain('possible');
      expect([...seat.classList]).not.toContain('lit');
    }
    expect(named(/^Challenge/).getAttribute('aria-label')).toMatch(/a wrong guess costs you a card/);
    await fireEvent.click(named(/^Challenge/));
    expect(container.querySelector('.offers .title')!.textContent).toMatch(/takes one of yours/);
  });

  test('a challenge glows where everybody can count that it will succeed', () => {
    const fixture = has({ kind: 'challenge' });
    const rich: number = offered(fixture, { kind: 'challenge' })[0]!.facts.seat;
    const places = fixture.view.table.seats.map((place: object, seat: number) => (seat === rich ? { ...place, hand_size: 12 } : place));
    const table = { ...fixture.view.table, seats: places };
    for (const shown of [true, false]) {
      const { container } = sit({ ...fixture, view: { ...fixture.view, table, options: { ...fixture.view.options, show_hand_sizes: shown } } });
      expect(container.querySelector(`[data-seat="${rich}"]`)!.classList.contains('lit')).toBe(shown);
    }
  });

  test('a pair that could be traded does not glow', () => {
    const fixture = has({ kind: 'trade' });
    const { container } = sit(fixture);
    const shield = offered(fixture, { kind: 'protect' }).length > 0;
    expect(container.querySelectorAll('.hand .card.possible').length).toBeGreaterThan(1);
    expect(container.querySelectorAll('.hand .card.lit').length > 0).toBe(shield);
  });

  test('a challenge is asked about first', async () => {
    const { asked, named } = sit(has({ kind: 'challenge' }));
    await fireEvent.click(named(/^Challenge/));
    await fireEvent.click([...document.querySelectorAll('.offers button')].find((b) => /^\s*Challenge/.test(b.textContent!))!);
    expect(asked[0]).toMatch(/^Challenge .*takes one of yours/);
  });

  test('passing with an answer in hand is asked about first', async () => {
    const fixture = all.find(({ view }) => view.table.phase === 'defend' && view.legal.length > 1)!;
    const { asked, named } = sit(fixture);
    await fireEvent.click(named(/^Pass$/));
    expect(asked[0]).toMatch(/life/);
  });
});

describe('how an attack ended', () => {
  const fixture = all.find(({ view }) => view.table.phase === 'open' && view.seat !== null)!;
  const { view } = fixture;
  const [by, target] = view.names.map((_, seat) => seat).filter((seat) => seat !== view.seat) as [number, number];
  const ended: AttackEnded = {
    kind: 'attack-ended', by, target, type: 'trap', attacks: 2, defences: 1, result: 'succeeded', lives: 0,
  };
  const log: Entry[] = [{ ply: view.ply + 1, seat: by, action: '', says: [], events: [ended] }];

  test('is told in the middle', async () => {
    const { container, rerender } = sit({ ...fixture, log: [] });
    expect(container.querySelector('.told')).toBeNull();
    await rerender({ view: { ...view, ply: view.ply + 1, table: { ...view.table } }, log });
    const name = view.names[target];
    expect(container.querySelector('.told')!.textContent).toBe(`${view.names[by]}’s trap catches ${name}, 2 to 1. ${name} is out.`);
  });

  test('is not told after a jump in a replay', async () => {
    const { container, rerender } = sit({ ...fixture, log: [] });
    await rerender({ view: { ...view, ply: view.ply + 5, table: { ...view.table } }, log });
    expect(container.querySelector('.told')).toBeNull();
  });
});

describe('answers in advance', () => {
  afterEach(() => vi.useRealTimers());

  test('not to interfere passes when asked, and ends with the turn', async () => {
    vi.useFakeTimers();
    const fixture = all.find(({ view }) => view.table.phase === 'help' && view.legal.length > 1)!;
    const { container, played, rerender } = sit(fixture);
    const toggle = container.querySelector<HTMLInputElement>('input[role="switch"]')!;
    await fireEvent.click(toggle);
    await vi.advanceTimersByTimeAsync(500);
    expect(played).toEqual([offered(fixture, { kind: 'pass' })[0]!.id]);
    const { table } = fixture.view;
    const on_turn = fixture.view.names.findIndex((_, seat) => seat !== table.on_turn && seat !== fixture.view.seat);
    const next = { ...fixture.view, ply: fixture.view.ply + 1, table: { ...table, on_turn } };
    await rerender({ view: next });
    await vi.advanceTimersByTimeAsync(500);
    expect(played).toHaveLength(1);
    expect(container.querySelector<HTMLInputElement>('input[role="switch"]')!.checked).toBe(false);
  });

  test('it can be taken back in time', async () => {
    vi.useFakeTimers();
    const fixture = all.find(({ view }) => view.table.phase === 'help' && view.legal.length > 1)!;
    const { container, played } = sit(fixture);
    const toggle = container.querySelector<HTMLInputElement>('input[role="switch"]')!;
    await fireEvent.click(toggle);
    await vi.advanceTimersByTimeAsync(100);
    await fireEvent.click(toggle);
    await vi.advanceTimersByTimeAsync(1000);
    expect(played).toEqual([]);
  });

  test('ready is said before the turns of others alone', async () => {
    vi.useFakeTimers();
    const open = all.filter(({ view }) => view.table.phase === 'open' && view.legal.length);
    for (const [own, count] of [[false, 1], [true, 0]] as const) {
      const { container, played } = sit(open.find(({ view }) => (view.table.on_turn === view.seat) === own)!);
      const toggles = container.querySelectorAll<HTMLInputElement>('input[role="switch"]');
      await fireEvent.click(toggles[toggles.length - 1]!);
      await vi.advanceTimersByTimeAsync(1000);
      expect(played).toHaveLength(count);
    }
  });

  test('nobody passes a defence in advance', async () => {
    vi.useFakeTimers();
    const fixture = all.find(({ view }) => view.table.phase === 'defend' && view.legal.length > 1)!;
    const { container, played } = sit(fixture);
    await fireEvent.click(container.querySelector<HTMLInputElement>('input[role="switch"]')!);
    await vi.advanceTimersByTimeAsync(1000);
    expect(played).toEqual([]);
  });
});

test('who is out shares one line, until the match is over', () => {
  const { view } = all.find(({ view }) => view.table.seats.length > 3 && view.seat !== null && view.legal.length)!;
  const gone = view.names.map((_, seat) => seat).filter((seat) => seat !== view.seat).slice(0, 2);
  const seat = (phase: string) => {
    const places = view.table.seats.map((place: object, at: number) => (gone.includes(at) ? { ...place, lives: 0, eliminated: true, keeps_hand: at === gone[0] } : place));
    const table = { ...view.table, phase, seats: places };
    return render(Board, { props: { view: { ...view, table, legal: [] }, seats: seatsOf(view), log: [], busy: false, act: () => {} } }).container;
  };
  const running = seat(view.table.phase);
  const line = [...running.querySelectorAll('.fallen li')];
  expect(line.map((one) => one.getAttribute('title'))).toEqual([
    `${view.names[gone[0]!]} is out, but may still interfere`,
    `${view.names[gone[1]!]} is out`,
  ]);
  for (const one of gone) {
    expect(running.querySelector(`.seat[data-seat="${one}"]`)).toBeNull();
    expect(running.querySelector(`[data-place="seat ${one}"]`)).not.toBeNull();
  }
  expect(seat('over').querySelectorAll('.fallen')).toHaveLength(0);
});

test('a position that stands alone settles nothing ahead and waits for nobody', () => {
  const { view } = all.find(({ view }) => view.table.seats.length > 2 && view.seat !== null && view.table.on_turn !== view.seat && view.legal.length)!;
  const props = { view: { ...view, legal: [] }, seats: seatsOf(view), log: [], busy: false, act: () => {} };
  const { container, rerender } = render(Board, { props });
  expect(container.querySelectorAll('input[role="switch"]')).toHaveLength(2);
  void rerender({ ...props, goesOn: false });
  return vi.waitFor(() => expect(container.querySelectorAll('input, .offers')).toHaveLength(0));
});
