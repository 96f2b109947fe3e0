/** Keeps an open page in sync with the server: reloads it when the server has a new client. */

const EVERY = 60_000; // least milliseconds between checks
const SCRIPT = /<script[^>]*\bsrc="([^"]+)"/;

let looked = 0;
let wanted = false;

/** The script that this page runs; empty while developing. */
const own = (): string => document.querySelector<HTMLScriptElement>('script[type=module][src^="/assets/"]')?.getAttribute('src') ?? '';

/** Returns whether a page belongs to another client than this one. */
export function isOther(html: string, script = own()): boolean {
  const found = SCRIPT.exec(html)?.[1];
  return script !== '' && found !== undefined && found !== script;
}

/** Checks whether the server has a new client; `now` even right after another check. */
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

/** Reloads the page as soon as nobody is typing in it. Tables are on the server, so nothing is lost. */
function renew(): void {
  wanted = true;
  const writing = document.activeElement?.matches('input:not([type=radio], [type=checkbox], [type=range]), textarea');
  if (!writing) location.reload();
}

/** Starts these checks for the life of the page. */
export function stayFresh(): void {
  // A missing chunk belongs to an old client.
  addEventListener('vite:preloadError', () => void look(true));
  addEventListener('focusout', () => wanted && setTimeout(() => wanted && renew()));
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void look());
  // Without a secure origin (a home server by its IP address) there is none, and only the offline shell is missing.
  if (own()) void navigator.serviceWorker?.register('/sw.js').catch(() => {});
}
