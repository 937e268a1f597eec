import type { Connection, ConnectionStatus } from '../schemas/connections.js';
import { compare } from './compare.js';
import { isLive, type KeyRecord, type Scope } from './keys.js';
import type { SourceRecord } from './source.js';

/** An ad channel of which spend was received. Times are milliseconds since 1970. */
export interface AdChannel {
  /** `custom:<slug>`. */
  channel: string;
  /** Distinct currencies. */
  accounts: number;
  lastMs: number;
}

/** The first and the last push of a kind of which something was accepted, in milliseconds. */
export interface Received {
  firstMs: number;
  lastMs: number;
}

export interface ConnectionInput {
  source: SourceRecord | null;
  keys: readonly KeyRecord[];
  /** Absent when there was none. */
  orders?: Received | undefined;
  events?: Received | undefined;
  adChannels: readonly AdChannel[];
  nowMs: number;
}

/** Channel of the store's entry until a source names its platform. */
const UNREGISTERED_STORE = 'store';

/** The store first, the pixel, then every ad channel by name. */
export function toConnections(input: ConnectionInput): Connection[] {
  const { source, keys, orders, events, adChannels, nowMs } = input;
  const status = (present: boolean, scope: Scope): ConnectionStatus =>
    connectionStatus({ present, source, keys, scope, nowMs });
  const store: Connection = {
    channel: source?.platform ?? UNREGISTERED_STORE,
    status: status(source !== null, 'orders:write'),
    ...(source?.shopDomain != null && { shop_domain: source.shopDomain }),
    ...(source !== null && { currency: source.currency, connected_at: time(source.registeredAt) }),
    ...(source !== null && orders !== undefined && { last_synced_at: time(orders.lastMs) }),
  };
  const pixel: Connection = {
    channel: 'pixel',
    status: status(events !== undefined, 'collect'),
    ...(events !== undefined && { connected_at: time(events.firstMs), last_synced_at: time(events.lastMs) }),
  };
  const ads = adChannels.map(({ channel, accounts, lastMs }): Connection => ({
    channel,
    status: status(true, 'costs:write'),
    ad_accounts: accounts,
    last_synced_at: time(lastMs),
  }));
  return [store, pixel, ...ads.sort((a, b) => compare(a.channel, b.channel))];
}

export interface StatusInput {
  /** Something was registered or received. */
  present: boolean;
  source: SourceRecord | null;
  keys: readonly KeyRecord[];
  /** What a key must hold to write this connection. */
  scope: Scope;
  nowMs: number;
}

/**
 * `not_connected` until something was registered or received; `uninstalled` once the operator closed the shop;
 * `needs_reauth` when there are keys that could write it and none of them is live (contract: "Connections").
 */
export function connectionStatus({ present, source, keys, scope, nowMs }: StatusInput): ConnectionStatus {
  if (!present) return 'not_connected';
  if (source !== null && source.closedAt !== null) return 'uninstalled';
  const writers = keys.filter((key) => key.scopes.includes(scope));
  return writers.length > 0 && !writers.some((key) => isLive(key, nowMs)) ? 'needs_reauth' : 'connected';
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
