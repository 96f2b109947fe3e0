/** Where the person is: the History API, and links that stay in the page. */
export const here = $state({ path: location.pathname, search: location.search });

function read(): void {
  here.path = location.pathname;
  here.search = location.search;
}

/** Goes to a page of Foxden. */
export function go(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  read();
  if (!replace) scrollTo(0, 0);
}

/** Listens to the back button and to links; returns a function that stops it. */
export function listen(): () => void {
  const follow = (event: MouseEvent): void => {
    const link = (event.target as Element).closest?.('a');
    const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute('download')) return;
    if (link.origin !== location.origin || link.pathname.startsWith('/api')) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search);
  };
  addEventListener('popstate', read);
  document.addEventListener('click', follow);
  return () => {
    removeEventListener('popstate', read);
    document.removeEventListener('click', follow);
  };
}
