/** When the reader looked at a shop last, kept by the browser. A visit ends when nothing was looked at for half an hour. */

const GAP_MS = 30 * 60_000;

interface Visit {
  /** When the visit before this one ended; null: this is the first. */
  before: number | null;
  seen: number;
}

const keyOf = (shop: string): string => `visit of ${shop}`;

function kept(shop: string): Visit | null {
  try {
    const [before, seen] = (localStorage.getItem(keyOf(shop)) ?? '').split(' ').map(Number);
    if (seen === undefined || !Number.isSafeInteger(seen) || !Number.isSafeInteger(before) || seen > Date.now())
      return null;
    return { before: before === 0 || before === undefined ? null : before, seen };
  } catch {
    // A browser may refuse to keep anything.
    return null;
  }
}

/** When the visit before this one ended, in milliseconds; null: not known. */
function endBefore(shop: string, now: number): number | null {
  const visit = kept(shop);
  return visit !== null && now - visit.seen > GAP_MS ? visit.seen : (visit?.before ?? null);
}

/** Notes that the shop is looked at now. */
export function noteVisit(shop: string, now = Date.now()): void {
  try {
    localStorage.setItem(keyOf(shop), `${endBefore(shop, now) ?? 0} ${now}`);
  } catch {
    // Then every visit is the first.
  }
}

/** When the visit before this one ended, as a timestamp; null: not known. */
export function lastVisit(shop: string): string | null {
  const end = endBefore(shop, Date.now());
  return end === null ? null : new Date(end).toISOString();
}
