/*
 * The service worker: Foxden's shell opens without a server, and never an old one while there is a server.
 * The build writes VERSION and SHELL.
 */
const VERSION = '__VERSION__';
const SHELL = __SHELL__;
const SLOW = 3000; // milliseconds after which the cached shell is used

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(VERSION)
      .then((cache) => cache.addAll(SHELL.map((path) => new Request(path, { cache: 'no-cache' }))))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith('/api/')) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(request));
  else if (SHELL.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(request)));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then((windows) => {
      const open = windows.find((one) => one.url.endsWith(event.notification.data)) ?? windows[0];
      return open ? open.focus() : self.clients.openWindow(event.notification.data);
    }),
  );
});

async function kept(request) {
  return (await caches.match(request)) ?? Response.error();
}

/** Every page is index.html: the server's, else the one that is kept. */
async function page(request) {
  const shell = await caches.match('/');
  if (!shell) return fetch(request);
  const late = new Promise((done) => setTimeout(() => done(shell), SLOW));
  const fresh = fetch(request).catch(() => shell);
  return Promise.race([fresh, late]);
}

/** Asset names contain a content hash, so cached ones stay valid forever. */
async function asset(request) {
  const found = await caches.match(request);
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) {
    const cache = await caches.open(VERSION);
    await cache.put(request, response.clone());
  }
  return response;
}
