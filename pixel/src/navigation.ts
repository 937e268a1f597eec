const FRAGMENT = /#(?![/!]).*/;
const QUERY_AND_FRAGMENT = /\?[^#]*|#(?![/!]).*/g;

/**
 * Calls `viewed` with the URL before, at each change of the page without a load: `pushState`, `replaceState`, back and
 * forward.
 *
 * A change of the fragment alone is no view, unless the fragment is a route (`#/…`, `#!…`); nor is a `replaceState` that
 * changes only the query, which is how shops tidy URLs and note filters and variants.
 */
export function watchNavigation(viewed: (before: string) => void): void {
  let shown = location.href;

  const move = (trivial: RegExp): void => {
    const before = shown;
    shown = location.href;
    if (shown.replace(trivial, '') !== before.replace(trivial, '')) viewed(before);
  };

  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name].bind(history);
    history[name] = (...args) => {
      original(...args);
      move(name === 'pushState' ? FRAGMENT : QUERY_AND_FRAGMENT);
    };
  }
  addEventListener('popstate', () => move(FRAGMENT));
}
