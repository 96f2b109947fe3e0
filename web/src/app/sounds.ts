/** Short, soft sounds, made on the spot: notes of a wooden bar that die away. */
import { settings } from './settings.svelte';

export type Sound = 'turn' | 'sit' | 'start';

const NOTES: Record<Sound, number[]> = {
  turn: [587, 880],
  sit: [440],
  start: [440, 587, 740],
};
const APART = 0.11; // seconds between two notes
const LONG = 0.5; // seconds until a note is gone

let audio: AudioContext | null = null;

/** Plays a sound, as loud as chosen; a browser that wants a press of a button first stays silent. */
export function play(sound: Sound, volume = settings.volume ?? 0): void {
  if (!volume || typeof AudioContext === 'undefined') return;
  audio ??= new AudioContext();
  void audio.resume();
  NOTES[sound].forEach((pitch, i) => note(audio!, audio!.currentTime + i * APART, pitch, volume));
}

/** A bar sounds with a softer tone two octaves above, which dies sooner. */
function note(audio: AudioContext, at: number, pitch: number, volume: number): void {
  for (const [times, loud, long] of [
    [1, 0.28, LONG],
    [4, 0.06, LONG / 4],
  ] as const) {
    const tone = new OscillatorNode(audio, { frequency: pitch * times });
    const gain = new GainNode(audio, { gain: 0 });
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(loud * volume, at + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + long);
    tone.connect(gain).connect(audio.destination);
    tone.start(at);
    tone.stop(at + long);
  }
}
