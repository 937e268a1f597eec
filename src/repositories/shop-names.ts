import { boundedCache } from '../domain/bounded-cache.js';
import { queueOutOfReach } from '../errors.js';
import type { ShopNamesState } from '../redis/shop-names.js';

/** Most names of one kind that a shop may ever use (contract: "Everywhere"), so that answers which list them stay small. */
export const MAX_CHANNELS = 1_000;
export const MAX_GATEWAYS = 1_000;
/** A channel in a currency; a shop has hardly more than one currency for each channel. */
export const MAX_AD_ACCOUNTS = 2_000;

/** The names of one kind that a shop uses, with an upper bound: process cache → Redis → ClickHouse. */
export interface ShopNames {
  /** Adds names and gives those above the bound. Throws `queue_unavailable`. */
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
  // A name is never removed, so entries stay right.
  const admitted = boundedCache<true>(2 * 1024 * 1024);
  const keyOf = (shopId: string, name: string): string => `${shopId}\n${name}`;

  const ask = async (shopId: string, names: readonly string[], dryRun: boolean): Promise<string[]> => {
    const options = { most, dryRun };
    const first = await state.admit(shopId, names, options);
    if (first !== null) return first;
    // Without the warehouse no name is refused; reports put small entries together.
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
        throw queueOutOfReach(error);
      }
      if (!dryRun) for (const name of unknown) if (!refused.has(name)) admitted.set(keyOf(shopId, name), true);
      return refused;
    },
  };
}
