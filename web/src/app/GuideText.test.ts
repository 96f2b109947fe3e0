import { render, screen } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { fixtures } from '../gallery/fixtures';
import { picturesOf } from '../kit/board';
import GuideText from './GuideText.svelte';

const html = '<ul><li id="A-1">One.</li><li id="A-2">Two.</li></ul>';

describe('the text of a guide', () => {
  it('shows a rule at work where there is an example', () => {
    const onshow = vi.fn();
    render(GuideText, { html, shown: ['A-2', 'A-9'], onshow });
    const [button, ...more] = screen.getAllByRole('button');
    expect(more).toEqual([]);
    expect(button!.closest('li')!.id).toBe('A-2');
    button!.click();
    expect(onshow).toHaveBeenCalledWith('A-2');
  });

  it.each(Object.keys(fixtures))('draws the pieces of %s beside its rules', async (game) => {
    const { RULES } = (await picturesOf(game))!;
    const rules = RULES.map((rule) => `<li id="${rule}">Some rule.</li>`).join('');
    const { container } = render(GuideText, { html: `<ul>${rules}</ul>`, drawn: { game, table: fixtures[game]![0]!.view.table } });
    await vi.waitFor(() => expect(container.querySelectorAll('.drawing .pieces figure').length).toBeGreaterThanOrEqual(RULES.length));
    for (const rule of RULES) expect(container.querySelector(`li[id="${rule}"] .drawing figure`), rule).toBeTruthy();
  });

  it('draws nothing for a game without pictures', async () => {
    expect(await picturesOf('none')).toBeUndefined();
  });
});
