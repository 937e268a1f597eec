import { LRUCache } from 'lru-cache';
import type { SourceRegistry } from '../repositories/sources.js';

/** The shop's own host, such as `shop.example.com`, which tells its pages from referring sites; empty when it has none. */
export interface ShopHosts {
  /** Undefined when it is not cached. */
  recall(shopId: string): string | undefined;
  find(shopId: string): Promise<string>;
}

/** How long a host is cached. */
const TTL_MS = 10_000;

export function createShopHosts(sources: SourceRegistry): ShopHosts {
  const hosts = new LRUCache<string, { host: string }>({
    maxSize: 10_000,
    sizeCalculation: () => 1,
    ttl: TTL_MS,
    allowStale: true,
    // An event must not be lost for its referrer class: without an answer, the host of the page alone decides.
    fetchMethod: async (shopId) => ({
      host: (await sources.find(shopId).catch(() => null))?.shopDomain?.toLowerCase() ?? '',
    }),
  });
  return {
    recall: (shopId) => hosts.get(shopId)?.host,
    find: async (shopId) => (await hosts.fetch(shopId))?.host ?? '',
  };
}
