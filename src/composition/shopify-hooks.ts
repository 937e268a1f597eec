import type { Config } from '../config.js';
import { createSealing } from '../domain/sealing.js';
import { createLocks } from '../redis/locks.js';
import { createShopifyHookState } from '../redis/shopify-hooks.js';
import { createShopifyHooks, type ShopifyHooks } from '../repositories/shopify-hooks.js';
import { createShopifyHookStore } from '../warehouse/queries/shopify-hooks.js';
import type { Stores } from './stores.js';

export function openShopifyHooks({ secretsKey }: Config, { redis, warehouse, takeStamps, now }: Stores): ShopifyHooks {
  return createShopifyHooks({
    state: createShopifyHookState(redis),
    store: createShopifyHookStore(warehouse),
    sealing: secretsKey === undefined ? undefined : createSealing(secretsKey),
    takeStamps,
    withLock: createLocks(redis),
    now,
  });
}
