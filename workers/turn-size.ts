export interface TurnSizeOptions {
  /** Of the first turn. */
  first: number;
  most: number;
  /** A turn may always take this long. */
  turnMs: number;
}

/** How many items a turn takes. */
export interface TurnSize {
  now(): number;
  /** Learns from a turn that did `items` in `ms`. */
  took(items: number, ms: number): void;
  /** A turn did not get through, perhaps because it took too long: the next one is half as large. */
  failed(): void;
}

/** What a turn counts for compared with the one after it. */
const MEMORY = 0.95;
/** Turns whose sizes differ by a smaller part say nothing of what an item costs. */
const LEAST_SPREAD = 0.05;

/**
 * How many items a turn takes: so many that they take as long as its fixed cost, or more while it stays below `turnMs`. With fewer,
 * those who wait for the next turn would wait for more than half as long, and the rest would be wasted. The fixed cost and that of
 * an item are the line of best fit through the last turns, so on a busy machine, where both grow, the size stays.
 * `npm run bench -- --only tenants`: of 500 shops in pushes of 5, orders show 0.52 times as fast as those of one shop this way, of
 * 2,000 shops 0.59 times; 0.10 and 0.06 times when a turn that took longer than `turnMs` halved the size.
 */
export function createTurnSize({ first, most, turnMs }: TurnSizeOptions): TurnSize {
  let size = first;
  const sums = { turns: 0, items: 0, ms: 0, itemsSquared: 0, itemsMs: 0 };

  /** What comes before the first item, and what an item takes; null while the turns are too similar. */
  const costs = (): { firstMs: number; eachMs: number } | null => {
    const [items, ms] = [sums.items / sums.turns, sums.ms / sums.turns];
    const variance = sums.itemsSquared / sums.turns - items ** 2;
    if (variance < (LEAST_SPREAD * items) ** 2) return null;
    const eachMs = Math.max(0, (sums.itemsMs / sums.turns - items * ms) / variance);
    return { firstMs: Math.max(0, ms - eachMs * items), eachMs };
  };

  return {
    now: () => size,
    took(items, ms) {
      for (const name of ['turns', 'items', 'ms', 'itemsSquared', 'itemsMs'] as const) sums[name] *= MEMORY;
      sums.turns += 1;
      sums.items += items;
      sums.ms += ms;
      sums.itemsSquared += items ** 2;
      sums.itemsMs += items * ms;
      const isFull = items >= size;
      const found = costs();
      if (found === null) {
        // Other sizes tell more.
        if (isFull) size = size < most ? Math.min(most, Math.ceil(size * 1.25)) : Math.ceil(most * 0.8);
        return;
      }
      const { firstMs, eachMs } = found;
      const room = Math.max(firstMs, turnMs - firstMs);
      const proved = isFull && ms < turnMs ? items * (ms < turnMs / 2 ? 2 : 1) : 1;
      size = Math.min(most, Math.max(proved, Math.round(Math.min(most, room / eachMs))));
    },
    failed() {
      size = Math.max(1, size >> 1);
    },
  };
}
