import type { Redis } from 'ioredis';
import type { ShopifyHook } from '../domain/shopify-hooks.js';

const RECEIVED = 'shopify-hooks:received';
const REMOVED = 'removed';
const key = (hookId: string): string => `shopify-hook:${hookId}`;

/** Hooks as they are looked up, so that they are taken while the warehouse is away. Their secrets are sealed. */
export interface ShopifyHookState {
  /** Undefined: not known here; null: it was removed. */
  get(hookId: string): Promise<ShopifyHook | null | undefined>;
  /** Keeps what the warehouse has, unless something newer is here. */
  fill(hook: ShopifyHook): Promise<void>;
  put(hook: ShopifyHook): Promise<void>;
  remove(hookId: string): Promise<void>;
  markReceived(hookId: string, nowMs: number): Promise<void>;
  /** Milliseconds; null: never. */
  lastReceived(hookId: string): Promise<number | null>;
}

export function createShopifyHookState(redis: Redis): ShopifyHookState {
  return {
    async get(hookId) {
      const text = await redis.get(key(hookId));
      if (text === null) return undefined;
      return text === REMOVED ? null : (JSON.parse(text) as ShopifyHook);
    },
    async fill(hook) {
      await redis.set(key(hook.hookId), JSON.stringify(hook), 'NX');
    },
    async put(hook) {
      await redis.set(key(hook.hookId), JSON.stringify(hook));
    },
    async remove(hookId) {
      await redis.set(key(hookId), REMOVED);
      await redis.hdel(RECEIVED, hookId);
    },
    async markReceived(hookId, nowMs) {
      await redis.hset(RECEIVED, hookId, nowMs);
    },
    async lastReceived(hookId) {
      const at = await redis.hget(RECEIVED, hookId);
      return at === null ? null : Number(at);
    },
  };
}
