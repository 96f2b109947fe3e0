import { afterEach, expect, it, vi } from 'vitest';
import { notice } from './attention';
import { set } from './settings.svelte';
import { play } from './sounds';

class Param {
  setValueAtTime = vi.fn();
  linearRampToValueAtTime = vi.fn();
  exponentialRampToValueAtTime = vi.fn();
}
const started = vi.fn();
class Tone {
  constructor(_audio: unknown, readonly options: { frequency: number }) {}
  connect = (next: unknown): unknown => next;
  start = (): void => void started(this.options.frequency);
  stop = (): void => {};
}
class Gain {
  gain = new Param();
  connect = (next: unknown): unknown => next;
}
vi.stubGlobal('AudioContext', class { currentTime = 0; destination = {}; resume = async (): Promise<void> => {}; });
vi.stubGlobal('OscillatorNode', Tone);
vi.stubGlobal('GainNode', Gain);

const shown = vi.fn();
class FakeNotification {
  static permission = 'granted';
  static requestPermission = async (): Promise<string> => 'granted';
  constructor(title: string, options: { body: string }) {
    shown(title, options.body);
  }
}

afterEach(() => {
  started.mockClear();
  shown.mockClear();
  set('volume', null);
  set('notify', null);
});

it('is silent until somebody has asked for sounds', () => {
  play('turn');
  set('volume', 0);
  play('turn');
  expect(started).not.toHaveBeenCalled();
  set('volume', 0.5);
  play('turn');
  expect(started).toHaveBeenCalledWith(587);
});

it('notifies only those who want it, and only while the page is hidden', async () => {
  vi.stubGlobal('Notification', FakeNotification);
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false);
  set('notify', true);
  notice('turn', 'Your move', 'Lay a card.');
  hidden.mockReturnValue(true);
  set('notify', false);
  notice('turn', 'Your move', 'Lay a card.');
  await new Promise((done) => setTimeout(done));
  expect(shown).not.toHaveBeenCalled();
  set('notify', true);
  notice('turn', 'Your move', 'Lay a card.');
  await vi.waitFor(() => expect(shown).toHaveBeenCalledWith('Your move', 'Lay a card.'));
});
