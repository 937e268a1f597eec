import { boundedCache } from '../domain/bounded-cache.js';
import { unavailable } from '../errors.js';
import type { ShopNamesState } from '../redis/shop-names.js';

/** Names of one kind that a shop may ever use (contract: "Everywhere"): every answer that lists them stays small. */
export const MOST_CHANNELS = 1_000;
export const MOST_GATEWAYS = 1_000;
/** A channel in a currency; a shop has hardly more than one currency for each channel. */
export const MOST_AD_ACCOUNTS = 2_000;

/** Names of one kind that a shop uses, at most so many: process cache → Redis → ClickHouse. */
export interface ShopNames {
  /** Takes names up and returns those that would be too many. Throws `queue_unavailable`. */
  admit(shopId: string, names: Iterable<string>, options?: { dryRun: boolean }): Promise<ReadonlySet<string>>;
}

export interface ShopNamesDeps {
  state: ShopNamesState;
  /** The names of a shop in the warehouse, at most so many. */
  stored: (shopId: string, most: number) => Promise<string[]>;
  most: number;
}

const NONE: ReadonlySet<string> = new Set();

export function createShopNames({ state, stored, most }: ShopNamesDeps): ShopNames {
  // A name that was taken up is never given up, so nothing here grows old.
  const admitted = boundedCache<true>(2 * 1024 * 1024);
  const keyOf = (shopId: string, name: string): string => `${shopId}\n${name}`;

  const ask = async (shopId: string, names: readonly string[], dryRun: boolean): Promise<string[]> => {
    const options = { most, dryRun };
    const first = await state.admit(shopId, names, options);
    if (first !== null) return first;
    // With the warehouse away nothing is refused; whoever reads many names joins the least of them.
    const known = await stored(shopId, most).catch(() => null);
    if (known === null) return [];
    await state.fill(shopId, known);
    return (await state.admit(shopId, names, options)) ?? [];
  };

  return {
    async admit(shopId, names, { dryRun } = { dryRun: false }) {
      const unknown = [...names].filter((name) => name !== '' && admitted.get(keyOf(shopId, name)) === undefined);
      if (unknown.length === 0) return NONE;
      let refused: ReadonlySet<string>;
      try {
        refused = new Set(await ask(shopId, unknown, dryRun));
      } catch (error) {
        throw unavailable(
          'queue_unavailable',
          'The queue is out of reach; nothing was taken. Send the request again.',
          error,
        );
      }
      if (!dryRun) for (const name of unknown) if (!refused.has(name)) admitted.set(keyOf(shopId, name), true);
      return refused;
    },
  };
}
