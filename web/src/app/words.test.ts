import { describe, expect, it } from 'vitest';
import type { SeatInfo, TableInfo } from '../api/types';
import { ago, brief, clockWords, listed, percent, points, spelled, standing, timeLeft, waitsForMe } from './words';

const seat = (seat: number, more: Partial<SeatInfo> = {}): SeatInfo => ({
  seat,
  kind: 'person',
  name: ['Mia', 'Jonas', 'Amara'][seat]!,
  level: null,
  standin: false,
  resigned: false,
  mine: false,
  here: true,
  replace_in: null,
  voice: null,
  ...more,
});
const table = (more: Partial<TableInfo>): TableInfo =>
  ({ status: 'running', to_act: 0, seats: [seat(0), seat(1), seat(2)], winners: null, ...more }) as TableInfo;

describe('words', () => {
  it('lists as people do', () => {
    expect(listed([])).toBe('');
    expect(listed(['a'])).toBe('a');
    expect(listed(['a', 'b', 'c'])).toBe('a, b and c');
  });

  it('tells time', () => {
    expect(timeLeft(6.2)).toBe('0:07');
    expect(timeLeft(-3)).toBe('0:00');
    expect(timeLeft(3849)).toBe('1:04:09');
    expect(timeLeft(3 * 86400)).toBe('3 d');
    expect(ago(0, 30)).toBe('just now');
    expect(ago(0, 600)).toBe('10 minutes ago');
    expect(clockWords({ kind: 'match', minutes: 10, increment: 5 })).toBe('10 min per player + 5 s');
  });

  it('spells names of options', () => {
    expect(spelled('unknown_four')).toBe('Unknown four');
  });

  it('says choices in a few words', () => {
    expect(brief({ says: 'Draw the top card of the harvest deck (59 left).', notation: 'draw' })).toBe('Draw the top card of the harvest deck');
    expect(brief({ says: 'Stop: 1 goose and the fox go to your win pile.', notation: 'stop' })).toBe('Stop');
    expect(brief({ says: '', notation: 'stop' })).toBe('stop');
  });

  it('says where a match stands', () => {
    expect(standing(table({}))).toBe('Mia’s turn');
    expect(standing(table({ seats: [seat(0, { mine: true }), seat(1)] }))).toBe('your move');
    expect(standing(table({ status: 'over', winners: [0, 2] }))).toBe('Mia and Amara won');
    expect(standing(table({ status: 'open', seats: [seat(0), seat(1, { kind: 'open', name: '' })] }))).toBe('1 open seat');
  });

  it('does not wait for a person whose seat a bot plays', () => {
    expect(waitsForMe(table({ seats: [seat(0, { mine: true })] }))).toBe(true);
    expect(waitsForMe(table({ seats: [seat(0, { mine: true, standin: true })] }))).toBe(false);
  });
});

describe('shares and points', () => {
  it('are written as people read them', () => {
    expect(percent(0.1234)).toBe('12 %');
    expect(percent(-0.1234, { digits: 1 })).toBe('−12.3 %');
    expect(percent(0.05, { signed: true })).toBe('+5 %');
    expect(percent(-0.001, { signed: true })).toBe('0 %');
    expect(points(1.25, { signed: true })).toBe('+1.3');
    expect(points(-0.04)).toBe('0.0');
  });
});
