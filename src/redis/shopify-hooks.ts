import type { Redis } from 'ioredis';
import type { ShopifyHook } from '../domain/shopify-hooks.js';

const RECEIVED = 'shopify-hooks:received';
/** Hook → how many deliveries had a wrong signature since its secret was set, and when the last one came. */
const REFUSED = 'shopify-hooks:refused';
const REFUSED_AT = 'shopify-hooks:refused-at';
const REMOVED = 'removed';
const key = (hookId: string): string => `shopify-hook:${hookId}`;

/** What came at a hook; times in milliseconds, null: never. */
export interface HookArrivals {
  lastReceivedAt: number | null;
  /** With a wrong signature, since the secret was set. */
  refused: number;
  lastRefusedAt: number | null;
}

/** Hooks as they are looked up, so that they are taken while the warehouse is away. Their secrets are sealed. */
export interface ShopifyHookState {
  /** Undefined: not known here; null: it was removed. */
  get(hookId: string): Promise<ShopifyHook | null | undefined>;
  /** Keeps what the warehouse has, unless something newer is here. */
  fill(hook: ShopifyHook): Promise<void>;
  put(hook: ShopifyHook): Promise<void>;
  remove(hookId: string): Promise<void>;
  markReceived(hookId: string, nowMs: number): Promise<void>;
  markRefused(hookId: string, nowMs: number): Promise<void>;
  /** What came at a hook. */
  arrivals(hookId: string): Promise<HookArrivals>;
}

export function createShopifyHookState(redis: Redis): ShopifyHookState {
  const forget = (hookId: string, hashes: readonly string[]) =>
    Promise.all(hashes.map((hash) => redis.hdel(hash, hookId)));
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
      await forget(hook.hookId, [REFUSED, REFUSED_AT]);
    },
    async remove(hookId) {
      await redis.set(key(hookId), REMOVED);
      await forget(hookId, [RECEIVED, REFUSED, REFUSED_AT]);
    },
    async markReceived(hookId, nowMs) {
      await redis.hset(RECEIVED, hookId, nowMs);
    },
    async markRefused(hookId, nowMs) {
      await Promise.all([redis.hincrby(REFUSED, hookId, 1), redis.hset(REFUSED_AT, hookId, nowMs)]);
    },
    async arrivals(hookId) {
      const read = [RECEIVED, REFUSED, REFUSED_AT].map((hash) => redis.hget(hash, hookId));
      const [received = null, refused = null, refusedAt = null] = await Promise.all(read);
      return {
        lastReceivedAt: received === null ? null : Number(received),
        refused: Number(refused ?? 0),
        lastRefusedAt: refusedAt === null ? null : Number(refusedAt),
      };
    },
  };
}
