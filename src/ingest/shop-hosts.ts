import { LRUCache } from 'lru-cache';
import type { SourceRegistry } from '../repositories/sources.js';

/** The shop's own hosts, which tell its pages from referring sites; empty when it has none. */
export interface HostsOfShop {
  /** Such as `shop.example.com`. */
  readonly shopDomain: string;
  /** Further ones, separated by blanks, as `canonicalHost` gives them. */
  readonly ownHosts: string;
}

export interface ShopHosts {
  /** Undefined when it is not cached. */
  recall(shopId: string): HostsOfShop | undefined;
  find(shopId: string): Promise<HostsOfShop>;
}

/** How long hosts are cached. */
const TTL_MS = 10_000;
const NONE: HostsOfShop = { shopDomain: '', ownHosts: '' };

export function createShopHosts(sources: SourceRegistry): ShopHosts {
  const hosts = new LRUCache<string, HostsOfShop>({
    maxSize: 10_000,
    sizeCalculation: () => 1,
    ttl: TTL_MS,
    allowStale: true,
    // An event must not be lost for its referrer class: without an answer, the host of the page alone decides.
    fetchMethod: async (shopId) => {
      const source = await sources.find(shopId).catch(() => null);
      if (source === null) return NONE;
      return { shopDomain: source.shopDomain?.toLowerCase() ?? '', ownHosts: source.ownHosts.join(' ') };
    },
  });
  return {
    recall: (shopId) => hosts.get(shopId),
    find: async (shopId) => (await hosts.fetch(shopId)) ?? NONE,
  };
}
