/** Title and favicon: what a person sees of Foxden while looking at something else. */
let icon: HTMLLinkElement | null = null;

/** Names the page; `yours` marks it as waiting for this person. */
export function entitle(title: string, yours = false): void {
  document.title = yours ? `● Your move · ${title}` : title;
  icon ??= document.querySelector('link[rel=icon]');
  const href = yours ? '/fox-turn.svg' : '/fox.svg';
  if (icon && icon.getAttribute('href') !== href) icon.setAttribute('href', href);
}
