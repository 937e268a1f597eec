/** With `?profit_debug` in the address, what is sent, what is held and why. */
export function debug(...said: unknown[]): void {
  if (/[?&]profit_debug\b/.test(location.search)) console.warn('profit pixel:', ...said);
}

/** The first of these addresses that is of this site and has a query, another one than the page has now. */
function landingAmong(...addresses: (string | undefined)[]): string | undefined {
  return addresses.find((address) => {
    const { origin, search } = new URL(address ?? '', location.href);
    return origin === location.origin && search && search !== location.search;
  });
}

/** The address as the visitor asked for it, where it had a query that the shop's scripts have taken out since. */
export function landingOf(): string | undefined {
  return landingAmong(performance.getEntriesByType('navigation')[0]?.name);
}

/**
 * The page of this site on which the visit began, as far as the browser itself remembers it: by the history of this tab, else the
 * page before.
 */
export function earlierLanding(): string | undefined {
  const { navigation } = window as { navigation?: { entries(): { url?: string }[] } };
  return landingAmong(navigation?.entries()[0]?.url, document.referrer);
}

/** The value of a cookie. */
export function cookie(name: string): string | undefined {
  try {
    return new RegExp(`\\b${name}=([^;]+)`).exec(document.cookie)?.[1];
  } catch {
    // A sandboxed page has no cookies.
    return undefined;
  }
}
