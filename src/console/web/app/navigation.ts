/** Moves from address to address within the app. */

import { useEffect, useState } from 'preact/hooks';
import { parsePath, type Address } from './address.js';

const MOVED = 'app:moved';

export function navigate(href: string): void {
  if (href === location.pathname + location.search) return;
  const before = location.pathname;
  history.pushState({ before: before + location.search }, '', href);
  if (location.pathname !== before) scrollTo(0, 0);
  dispatchEvent(new Event(MOVED));
}

/** The address from which a link of the app led here, to which Back goes; null where there is none. */
export function addressBefore(): URL | null {
  const state: unknown = history.state;
  const isKnown = typeof state === 'object' && state !== null && 'before' in state && typeof state.before === 'string';
  return isKnown ? new URL(String(state.before), location.href) : null;
}

const current = (): Address => ({
  place: parsePath(location.pathname),
  path: location.pathname,
  query: new URLSearchParams(location.search),
});

export function useAddress(): Address {
  const [address, setAddress] = useState(current);
  useEffect(() => {
    const look = () => setAddress(current());
    addEventListener('popstate', look);
    addEventListener(MOVED, look);
    return () => {
      removeEventListener('popstate', look);
      removeEventListener(MOVED, look);
    };
  }, []);
  return address;
}

const isApp = (path: string): boolean => path === '/' || path.startsWith('/shop/');

/** Follows links between the pages of a document without loading it again; by default those of the app. */
export function followLinks(isOwn = isApp): void {
  document.addEventListener('click', (event) => {
    const { target, button, defaultPrevented, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
    const link = target instanceof Element ? target.closest('a') : null;
    const href = link?.getAttribute('href') ?? null;
    if (link === null || href === null || link.hasAttribute('download')) return;
    const url = new URL(href, location.href);
    if (url.origin !== location.origin || !isOwn(url.pathname) || url.hash !== '') return;
    event.preventDefault();
    navigate(url.pathname + url.search);
  });
}
