/** Keeps a page that stays open in step with the server: when that has another client, the page is loaded anew. */

const EVERY = 60_000; // milliseconds between two looks, at least
const SCRIPT = /<script[^>]*\bsrc="([^"]+)"/;

let looked = 0;
let wanted = false;

/** The script that this page runs; empty while developing. */
const own = (): string => document.querySelector<HTMLScriptElement>('script[type=module][src^="/assets/"]')?.getAttribute('src') ?? '';

/** Tells whether a page was made by another client than this one. */
export function isOther(html: string, script = own()): boolean {
  const found = SCRIPT.exec(html)?.[1];
  return script !== '' && found !== undefined && found !== script;
}

/** Looks whether the server has another client; `now` even if that was looked up a moment ago. */
export async function look(now = false): Promise<void> {
  if (!own() || (!now && Date.now() - looked < EVERY)) return;
  looked = Date.now();
  try {
    const answer = await fetch('/', { cache: 'no-cache', headers: { accept: 'text/html' } });
    if (answer.ok && isOther(await answer.text())) renew();
  } catch {
    looked = 0; // the server is away, perhaps for this very reason
  }
}

/** Loads the page anew, as soon as nobody is writing in it. Tables are the server's: nothing is lost. */
function renew(): void {
  wanted = true;
  const writing = document.activeElement?.matches('input:not([type=radio], [type=checkbox], [type=range]), textarea');
  if (!writing) location.reload();
}

/** Takes care of it for as long as the page is open. */
export function stayFresh(): void {
  // A part that is no longer there was of another client.
  addEventListener('vite:preloadError', () => void look(true));
  addEventListener('focusout', () => wanted && setTimeout(() => wanted && renew()));
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void look());
  // Without a secure origin (a server at home, by its number) there is none, and nothing is missing but the offline shell.
  if (own()) void navigator.serviceWorker?.register('/sw.js').catch(() => {});
}
