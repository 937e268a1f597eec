/** With `?profit_debug` in the address, what is sent, what is held and why. */
export function debug(...said: unknown[]): void {
  if (/[?&]profit_debug\b/.test(location.search)) console.warn('profit pixel:', ...said);
}

/** Whether a page of the same site shows this one in a frame: the visit is that page's. */
export function isFramed(): boolean {
  try {
    return parent !== self && !!parent.document;
  } catch {
    return false;
  }
}

/** The address as the visitor asked for it, where it had a query that the shop's scripts have taken out since. */
export function landingOf(): string | undefined {
  const [entry] = performance.getEntriesByType('navigation');
  const { origin, search, href } = new URL(entry?.name ?? location.href);
  return origin === location.origin && search && search !== location.search ? href : undefined;
}

/** Shopify's own id of the visitor. */
export function shopifyClientId(): string | undefined {
  try {
    return /\b_shopify_y=([^;]+)/.exec(document.cookie)?.[1];
  } catch {
    // A sandboxed page has no cookies.
    return undefined;
  }
}
