import { render, screen } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import type { Decision, Review } from '../api/types';
import ReviewGraph from './ReviewGraph.svelte';

const worth = (value: number) => ({ value, margin: 0.02 });
const choice = { action: 1, notation: 'stop', says: '', chance: worth(0.5), points: worth(3), worlds: 100 };
const decision = (ply: number, verdict: Decision['verdict']): Decision => ({
  ply, verdict, kind: 'stop', question: '', open: 2, chosen: choice, best: choice, loss: worth(0.12), loss_points: worth(1), choices: [choice], why: '',
});
const review: Review = {
  version: 1, game: 'happy-fox', title: 'Happy Fox', rules: 1, seats: 2, seat: 0, names: ['Mia', 'Ben'], measure: 'chance', player: 'greedy',
  scores: [3, 2], winners: [0], values: [0.5, 0.6, 0.4, 1], costliest: [1], decisions: [decision(0, 'best'), decision(2, 'loss')],
  account: { start: 0.5, deal: 0, draws: 0.3, others: 0.3, decisions: -0.1, result: 1 },
};

describe('the graph of a review', () => {
  it('says how the match went, and marks what was costly', () => {
    const onchoose = vi.fn();
    render(ReviewGraph, { review, at: null, onchoose });
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe('Chance to win over the match: from 50 % after the deal to 100 % at the end.');
    const marks = screen.getAllByRole('button');
    expect(marks.map((mark) => mark.getAttribute('aria-label'))).toEqual(['Move 3, cost 12 %']);
    marks[0]!.click();
    expect(onchoose).toHaveBeenCalledWith(1);
  });

  it('also marks the decision that is shown', () => {
    render(ReviewGraph, { review, at: 0, onchoose: () => {} });
    expect(screen.getByRole('button', { name: 'Move 1' }).getAttribute('aria-pressed')).toBe('true');
  });
});
