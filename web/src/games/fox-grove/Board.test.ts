/** Every legal action of every fixture is reached by pressing what the board shows, and by keys. */
import { fireEvent, render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { fixtures, seatsOf, type Fixture } from '../../gallery/fixtures';
import Board from './Board.svelte';
import { KINDS, type LegalAction } from './view';

vi.setConfig({ testTimeout: 30_000 });

const positions = fixtures['fox-grove']!;
const asked = positions.filter(({ view }) => view.legal.length);

function seat(fixture: Fixture, busy = false) {
  const act = vi.fn();
  const { container } = render(Board, {
    view: fixture.view,
    seats: seatsOf(fixture.view),
    log: fixture.log,
    act,
    busy,
  });
  return { act, container };
}

/** Finds the button of that name; a name may go on after it. */
function button(container: HTMLElement, name: string, whole = false): HTMLButtonElement {
  const buttons = [...container.querySelectorAll('button')];
  const found = buttons.find((b) => {
    const own = b.getAttribute('aria-label') ?? b.textContent?.trim() ?? '';
    return whole ? own === name : own.startsWith(name);
  });
  if (!found) throw new Error(`no button ${name} among ${buttons.map((b) => b.getAttribute('aria-label') ?? b.textContent).join(' | ')}`);
  return found;
}

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);

/** Presses whatever leads to an action. */
async function reach(container: HTMLElement, action: LegalAction): Promise<void> {
  const press = async (name: string, whole = false) => {
    await fireEvent.click(button(container, name, whole));
    await tick();
  };
  const { facts } = action;
  if ('card' in facts) {
    await press(`${capital(facts.card)},`);
    await press(`${capital(facts.card)},`);
  } else if (facts.kind === 'climb') {
    await press(`${capital(facts.house)} house. ${action.says}`);
    await press('Climb', true);
    await press('Cancel');
  } else if (facts.kind === 'keep') {
    for (const kind of KINDS) {
      for (let n = 0; n < facts.units[kind]; n += 1) await press(`Keep one ${kind}`);
    }
    await press('Keep these three');
    for (const kind of KINDS) {
      for (let n = 0; n < facts.units[kind]; n += 1) await press(`Put the ${kind} back`);
    }
  } else {
    await press(action.says);
  }
}

describe('every legal action is reached on the board', () => {
  for (const fixture of asked) {
    it(fixture.name, async () => {
      const { act, container } = seat(fixture);
      for (const action of fixture.view.legal) {
        await reach(container, action);
        expect(act.mock.calls.at(-1)?.[0], action.notation).toEqual(action);
      }
    });
  }
});

describe('the board', () => {
  it('has fixtures of every phase', () => {
    const phases = new Set(asked.map(({ view }) => view.table.phase));
    expect([...phases].sort()).toEqual(
      ['left', 'right', 'under', 'draw', 'bury', 'play', 'take', 'reward', 'gain', 'thirteen', 'deliver', 'switch', 'discount', 'berries', 'wood', 'nut', 'bonus', 'keep'].sort(),
    );
  });

  it('lights exactly the cards of the hand that may be played', () => {
    for (const fixture of asked.filter(({ view }) => view.table.phase === 'play')) {
      const { container } = seat(fixture);
      const lit = [...container.querySelectorAll('.hand .card.lit')].map((card) => card.getAttribute('aria-label'));
      const { rewards } = fixture.view.table;
      const cards: string[] = fixture.view.legal.map(({ facts }) => facts.card);
      expect(lit.sort()).toEqual(cards.map((card) => `${capital(card)}, gives ${rewards[card]}`).sort());
      container.remove();
    }
  });

  it('lets owls glow that would wake, but not those that would be used up', () => {
    const using = asked.find(({ view }) => view.legal.some(({ facts }) => facts.owl === 'pick two'))!;
    const waking = asked.find(({ view }) => view.legal.some(({ facts }) => facts.kind === 'wake-owls' && !facts.every))!;
    for (const [fixture, lit] of [[using, false], [waking, true]] as const) {
      const tiles = [...seat(fixture).container.querySelectorAll('.owls button[data-acts]')];
      expect(tiles.length).toBeGreaterThan(0);
      expect(tiles.every((tile) => tile.classList.contains('lit') === lit)).toBe(true);
      expect(tiles.every((tile) => tile.classList.contains('possible') !== lit)).toBe(true);
    }
  });

  it('says where the own points come from', () => {
    for (const fixture of positions.filter(({ view }) => view.seat !== null)) {
      const { container } = seat(fixture);
      const sums = [...container.querySelectorAll('.sums b')].map((sum) => Number(sum.textContent));
      expect(sums.reduce((sum, points) => sum + points, 0), fixture.name).toBe(fixture.view.table.seats[fixture.view.seat!].points);
      container.remove();
    }
  });

  it('says what a level takes beyond its printed price before it is climbed', async () => {
    const deliver = asked.find(({ view }) => view.table.phase === 'deliver')!;
    const pays = { wood: 1, nut: 0, maple: 0, berries: 1, owls: [] };
    const legal = deliver.view.legal.map((action) =>
      action.facts.house === 'tree' ? { ...action, facts: { ...action.facts, pays } } : action,
    );
    const { container } = seat({ ...deliver, view: { ...deliver.view, legal } });
    await fireEvent.click(button(container, 'Tree house. '));
    expect(container.querySelector('.ask')!.textContent).toContain('You pay 1 wood and 1 blackberry.');
  });

  it('offers nothing while busy, and asks before it stops', async () => {
    const deliver = asked.find(({ view }) => view.table.phase === 'deliver')!;
    const waiting = seat(deliver, true);
    expect(waiting.container.querySelectorAll('.lit').length).toBe(0);
    waiting.container.remove();
    const { act, container } = seat(deliver);
    await fireEvent.click(button(container, 'Advance no further'));
    expect(act.mock.calls[0]![1]).toMatch(/Stop delivering/);
  });

  it('pays the plain way by itself, one answer a position', async () => {
    for (const phase of ['discount', 'switch', 'berries', 'wood', 'nut']) {
      const fixture = asked.find(({ view }) => view.table.phase === phase)!;
      const { act, container } = seat(fixture);
      await fireEvent.click(button(container, 'Auto-pay'));
      await tick();
      expect(act).toHaveBeenCalledTimes(1);
      expect(fixture.view.legal).toContainEqual(act.mock.calls[0]![0]);
      container.remove();
    }
  });

  it('moves among the cards of the hand by arrow keys and plays by pressing twice', async () => {
    const fixture = asked.find(({ view }) => view.table.phase === 'left')!;
    const { act, container } = seat(fixture);
    const cards = [...container.querySelectorAll<HTMLButtonElement>('.hand button.card')];
    expect(cards.filter((card) => card.tabIndex === 0).length).toBe(1);
    cards[0]!.focus();
    await fireEvent.keyDown(cards[0]!, { key: 'ArrowRight' });
    expect(document.activeElement).toBe(cards[1]);
    await fireEvent.click(cards[1]!);
    expect(act).not.toHaveBeenCalled();
    await fireEvent.click(cards[1]!);
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('plays a card that is dragged to the middle, and none that may not be played', async () => {
    const fixture = asked.find(({ view }) => view.table.phase === 'play' && view.legal.length < view.table.seats[view.seat!].hand.length)!;
    const { act, container } = seat(fixture);
    const middle = container.querySelector<HTMLElement>('[data-drop]')!;
    const under = vi.spyOn(document, 'elementFromPoint').mockReturnValue(middle);
    for (const pull of container.querySelectorAll<HTMLElement>('.pull')) {
      const before = act.mock.calls.length;
      pull.setPointerCapture = vi.fn();
      const at = (clientY: number) => ({ button: 0, isPrimary: true, pointerId: 1, clientX: 0, clientY });
      await fireEvent.pointerDown(pull, at(100));
      await fireEvent.pointerMove(pull, at(50));
      const lit = !!pull.querySelector('.card.lit');
      expect(middle.hasAttribute('data-over')).toBe(lit);
      await fireEvent.pointerUp(pull, at(50));
      expect(middle.hasAttribute('data-over')).toBe(false);
      expect(act.mock.calls.length - before).toBe(lit ? 1 : 0);
    }
    expect(act.mock.calls.map(([action]) => action)).toEqual(expect.arrayContaining(fixture.view.legal));
    under.mockRestore();
  });

  it('puts the focus of those who play by keys on the next thing to press', async () => {
    const [wait, deliver] = [positions.find(({ view }) => !view.legal.length)!, asked.find(({ view }) => view.table.phase === 'deliver')!];
    const props = ({ view, log }: Fixture) => ({ view, log, seats: seatsOf(view), act: vi.fn(), busy: false });
    const { rerender } = render(Board, props(wait));
    await fireEvent.keyDown(window, { key: 'Enter' });
    await rerender(props(deliver));
    await tick();
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/house\. Advance to level/);
  });

  it('draws the table for those who wait and watch', () => {
    for (const fixture of positions.filter(({ view }) => !view.legal.length)) {
      const { container } = seat(fixture);
      expect(container.querySelectorAll('.house').length).toBe(3);
      expect(container.querySelectorAll('[data-place^="seat"]').length).toBe(fixture.view.names.length);
      container.remove();
    }
  });
});
