import type { CollectEvent as Wire } from '../../schemas/collect.js';
import type { Visit } from './visit.js';

/** What the visitor agreed to. */
export type Consent = Wire['consent'];

/** One item of `POST /v1/collect`. Anything but a {@link Consent} drops the event, so the schema may leave it unchecked. */
export interface CollectEvent extends Readonly<Omit<Wire, 'consent'>> {
  readonly consent?: string;
}

/** What the server knows of the request that carried the event. The address of the caller is not part of it. */
export interface EnrichContext {
  /** The `User-Agent` header; absent or empty is not taken for a bot. */
  readonly userAgent?: string | undefined;
  /** When the request arrived, in milliseconds since 1970. */
  readonly receivedAtMs: number;
  /** When the page sent it, by the visitor's clock, in milliseconds since 1970; absent: not known. */
  readonly sentAtMs?: number | undefined;
  /** The shop's own host, such as `shop.example.com`, in lower case; referrers from it count as internal. */
  readonly shopDomain?: string | undefined;
  /** Further hosts of the shop, separated by blanks; see `canonicalHost`. */
  readonly ownHosts?: string | undefined;
}

/**
 * An event as it is stored. Text that does not apply is the empty string, never null; `quantity` alone may be null.
 * Personal data is gone from every field. Sessions are built later from (`anon_id`, `ts`, the visit).
 */
export interface EventRow {
  readonly event_id: string;
  readonly type: CollectEvent['type'];
  /** Milliseconds since 1970, never later than `received_at`. */
  readonly ts: number;
  /** Milliseconds since 1970. */
  readonly received_at: number;
  readonly anon_id: string;
  readonly session_hint: string;
  readonly consent: Consent;
  readonly order_id: string;
  readonly checkout_token: string;
  readonly sdk: string;
  readonly store_client_id: string;
  /** Lower-case hex, or empty. */
  readonly email_hash: string;
  readonly product_id: string;
  readonly sku: string;
  /** Decimal string, or null when the event names none. */
  readonly quantity: string | null;
  readonly visit: Visit;
}
