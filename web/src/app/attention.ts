/** Signals for a person looking elsewhere: title, favicon, a sound, a notification. */
import { settings } from './settings.svelte';
import { play, type Sound } from './sounds';

let icon: HTMLLinkElement | null = null;

/** Sets the page's title; `yours` marks that it is this person's turn. */
export function entitle(title: string, yours = false): void {
  document.title = yours ? `● Your move · ${title}` : title;
  icon ??= document.querySelector('link[rel=icon]');
  const href = yours ? '/fox-turn.svg' : '/fox.svg';
  if (icon && icon.getAttribute('href') !== href) icon.setAttribute('href', href);
}

/** Draws attention to something that happened at a table. */
export function notice(sound: Sound, title: string, body: string): void {
  play(sound);
  if (settings.notify && document.hidden) void show(title, body);
}

/** Asks the browser whether Foxden may notify; returns what it answers. */
export async function mayNotify(): Promise<boolean> {
  return typeof Notification !== 'undefined' && (await Notification.requestPermission()) === 'granted';
}

async function show(title: string, body: string): Promise<void> {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  // One at a time: the latest says it all.
  const options = { body, tag: 'foxden', icon: '/icon-192.png', data: location.pathname + location.search };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) return worker.showNotification(title, options); // the only way on phones
  const shown = new Notification(title, options);
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}
