import { LRUCache } from 'lru-cache';
import type { Sealing } from '../domain/sealing.js';
import { newHookId, OLD_SECRET_MS, type ShopifyHook } from '../domain/shopify-hooks.js';
import { queueOutOfReach, requestError } from '../errors.js';
import type { WithLock } from '../redis/locks.js';
import type { HookArrivals, ShopifyHookState } from '../redis/shopify-hooks.js';
import type { TakeStamps } from '../redis/stamps.js';
import type { ShopifyHookStore } from '../warehouse/queries/shopify-hooks.js';
import type { AdmitLookUp } from './keys.js';

interface ShopifyHooksDeps {
  state: ShopifyHookState;
  store: ShopifyHookStore;
  /** Undefined: the service has no key to seal with. */
  sealing: Sealing | undefined;
  takeStamps: TakeStamps;
  withLock: WithLock;
  now: () => number;
}

/** A hook with the secrets that hold now; none where they were sealed with another key. */
export type OpenHook = Pick<ShopifyHook, 'hookId' | 'shopId' | 'shopDomain'> & { secrets: readonly string[] };

/** A hook as its shop sees it. */
type ListedHook = Pick<ShopifyHook, 'hookId' | 'shopDomain'> &
  HookArrivals & {
    /** The secret was sealed with another key: it must be set again. */
    needsSecret: boolean;
  };

/** The webhooks of Shopify: Redis → ClickHouse. */
export interface ShopifyHooks {
  /** Null: there is none. Throws what `admit` throws, and `store_unavailable`. */
  find(hookId: string, admit: AdmitLookUp): Promise<OpenHook | null>;
  ofShop(shopId: string): Promise<ListedHook | null>;
  /** Makes the hook of a shop, or replaces its domain and secret; gives its id. */
  put(shopId: string, settings: { secret: string; shopDomain: string }): Promise<string>;
  remove(shopId: string): Promise<void>;
  markReceived(hookId: string): Promise<void>;
  /** Notes a delivery with a wrong signature. */
  markRefused(hookId: string): Promise<void>;
}

/** While Redis is away. */
const NONE_KNOWN: HookArrivals = { lastReceivedAt: null, refused: 0, lastRefusedAt: null };
const UNKNOWN_TTL_MS = 5_000;
const MAX_UNKNOWN = 10_000;
const NO_KEY =
  'This service has no SECRETS_KEY, so it cannot keep the secret of a hook; its operator sets one, see .env.example.';

const ownerOf = ({ shopId, hookId }: Pick<ShopifyHook, 'shopId' | 'hookId'>): string =>
  `hook of Shopify ${shopId} ${hookId}`;

export function createShopifyHooks(deps: ShopifyHooksDeps): ShopifyHooks {
  const { state, store, sealing, takeStamps, withLock, now } = deps;
  const unknown = new LRUCache<string, true>({ max: MAX_UNKNOWN, ttl: UNKNOWN_TTL_MS });

  const load = async (hookId: string, admit: AdmitLookUp): Promise<ShopifyHook | null> => {
    const known = await state.get(hookId).catch((error: unknown) => {
      throw queueOutOfReach(error);
    });
    if (known !== undefined) return known;
    if (unknown.has(hookId)) return null;
    const takeBack = admit();
    const found = await store.find(hookId).catch((error: unknown) => {
      takeBack();
      throw error;
    });
    if (found === null) {
      unknown.set(hookId, true);
      return null;
    }
    takeBack();
    await state.fill(found).catch(() => undefined);
    return found;
  };
  const change = <T>(shopId: string, work: (current: ShopifyHook | null) => Promise<T>): Promise<T> =>
    withLock(`hook:${shopId}`, async () => work(await store.ofShop(shopId)));
  const opened = (hook: ShopifyHook): string | null => sealing?.open(hook.secret, ownerOf(hook)) ?? null;

  return {
    async find(hookId, admit) {
      const hook = await load(hookId, admit);
      if (hook === null) return null;
      const { shopId, shopDomain, secret, oldSecret } = hook;
      const holding = oldSecret !== null && oldSecret.until > now() ? [secret, oldSecret.sealed] : [secret];
      const secrets = holding.map((sealed) => sealing?.open(sealed, ownerOf(hook)) ?? null);
      return { hookId, shopId, shopDomain, secrets: secrets.filter((one) => one !== null) };
    },
    async ofShop(shopId) {
      const hook = await store.ofShop(shopId);
      if (hook === null) return null;
      const { hookId, shopDomain } = hook;
      const arrivals = await state.arrivals(hookId).catch(() => NONE_KNOWN);
      return { hookId, shopDomain, ...arrivals, needsSecret: opened(hook) === null };
    },
    put: (shopId, { secret, shopDomain }) =>
      change(shopId, async (current) => {
        if (sealing === undefined) throw requestError('invalid_request', NO_KEY);
        const hookId = current?.hookId ?? newHookId();
        const isSame = current !== null && opened(current) === secret;
        const replaced = current === null ? null : { sealed: current.secret, until: now() + OLD_SECRET_MS };
        const hook: ShopifyHook = {
          hookId,
          shopId,
          shopDomain: shopDomain.toLowerCase(),
          secret: sealing.seal(secret, ownerOf({ shopId, hookId })),
          oldSecret: isSame ? current.oldSecret : replaced,
        };
        // The warehouse first: every hook that works is listed.
        await store.write(hook, await takeStamps());
        await state.put(hook);
        unknown.delete(hookId);
        return hookId;
      }),
    remove: (shopId) =>
      change(shopId, async (current) => {
        if (current === null) return;
        // Redis first: then it works nowhere, even if this process is killed before the warehouse knows.
        await state.remove(current.hookId);
        await store.remove(current, await takeStamps());
      }),
    markReceived: (hookId) => state.markReceived(hookId, now()),
    markRefused: (hookId) => state.markRefused(hookId, now()),
  };
}
