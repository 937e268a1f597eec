import { guard } from './guard.js';

export interface Navigation {
  /** Where the present page view came from: the document's referrer, or the view before it. */
  referrer(): string;
}

/**
 * Calls `viewed` at each change of the page without a load: `pushState`, `replaceState`, back and forward, and the return
 * of a page from the browser's back-forward cache.
 *
 * A change of the fragment alone is no view, unless the fragment is a route (`#/…`, `#!…`); nor is a `replaceState` that
 * changes only the query, which is how shops tidy URLs and note filters and variants.
 */
export function watchNavigation(viewed: () => void): Navigation {
  let shown = location.href;
  let referrer = document.referrer;

  const move = guard((replaced: boolean) => {
    const url = location.href;
    const before = shown;
    if (viewOf(url) === viewOf(before)) return;
    shown = url;
    if (replaced && pathOf(url) === pathOf(before)) return;
    referrer = before;
    viewed();
  });

  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name].bind(history);
    history[name] = (...args) => {
      original(...args);
      move(name === 'replaceState');
    };
  }
  addEventListener('popstate', () => move(false));
  return { referrer: () => referrer };
}

const viewOf = (url: string): string => url.replace(/#(?![/!]).*/, '');
const pathOf = (url: string): string => viewOf(url).replace(/\?[^#]*/, '');
