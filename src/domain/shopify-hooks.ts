import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { orderVersion, SECOND_MICROS, type OrderInput } from './orders/orders.js';
import { MS_PER_DAY } from './time.js';

/** The webhooks of one shop. Times are milliseconds since 1970. */
export interface ShopifyHook {
  hookId: string;
  shopId: string;
  /** The `myshopify.com` name that Shopify sends with each hook, lower case. */
  shopDomain: string;
  /** Sealed. */
  secret: string;
  /** The one before, sealed, and until when it holds; null: there is none. */
  oldSecret: { sealed: string; until: number } | null;
}

/** What becomes of a hook. */
export const HOOK_OUTCOMES = ['accepted', 'superseded', 'rejected', 'ignored'] as const;
export type HookOutcome = (typeof HOOK_OUTCOMES)[number];

/** How long a secret holds after it was replaced. */
export const OLD_SECRET_MS = MS_PER_DAY;

/** 128 random bits. */
export const newHookId = (): string => randomBytes(16).toString('base64url');
export const isHookId = (text: string): boolean => /^[\w-]{22}$/.test(text);

/** Whether a signature (base64 of an HMAC-SHA256) is that of the bytes with one of the secrets. All are compared, in constant time. */
export function isSigned(bytes: Buffer, signature: string, secrets: readonly string[]): boolean {
  const given = Buffer.from(signature, 'base64');
  const matches = secrets.map((secret) => {
    const own = createHmac('sha256', secret).update(bytes).digest();
    return given.length === own.length && timingSafeEqual(given, own);
  });
  return matches.includes(true);
}

/**
 * The version of an order that a hook brought: its `updated_at`, whose seconds are whole, with the microseconds from there to when the
 * hook was triggered as its fraction. So hooks of one second are in order however they arrive, and what was read later is newer.
 */
export function hookVersion(
  order: Pick<OrderInput, 'placed_at' | 'updated_at'>,
  triggeredMicros: number | null,
): number {
  const at = orderVersion(order);
  if (at % SECOND_MICROS !== 0 || triggeredMicros === null) return at;
  return at + Math.min(Math.max(triggeredMicros - at, 0), SECOND_MICROS - 1);
}
