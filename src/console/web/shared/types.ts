/** Answers of the app's own requests. Timestamps are RFC 3339 in UTC. */

export interface Shop {
  shop_id: string;
  keys: number;
  platform: string | null;
  currency: string | null;
  timezone: string | null;
  closed_at: string | null;
}

export type KeyKind = 'publishable' | 'secret' | 'pixel';

export interface Key {
  key_id: string;
  /** What people call it; may be empty. */
  name: string;
  kind: KeyKind;
  scopes: string[];
  prefix: string;
  last_four: string;
  state: 'live' | 'expired' | 'revoked';
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

/** The one answer that holds the key itself. */
export interface FreshKey extends Key {
  key: string;
}

interface Counts {
  accepted: number;
  rejected: number;
  superseded: number;
}

/** `GET /v1/ingest/status`. */
export interface IngestStatus {
  kinds: Record<
    string,
    {
      last_received_at: string | null;
      windows: Record<'24h' | '7d' | '30d', Counts>;
      top_error_codes: { code: string; count: number; sample_message: string }[];
    }
  >;
  coverage: Record<'cogs_complete' | 'gateway_fee_actual' | 'tax_present', number | null>;
}

/** An entry of `GET /v1/connections`. */
export interface Connection {
  channel: string;
  status: string;
  shop_domain?: string;
  currency?: string;
  ad_accounts?: number;
  connected_at?: string;
  last_synced_at?: string;
}

/** An estimate of payment fees: percent of the total, and a fixed part an order, as decimals. */
export interface FeeRule {
  payment_gateway: string;
  percent: string;
  fixed: string;
}

/** An expense; `external_id` is null where it was made in the app. Days are `YYYY-MM-DD`. */
export interface Expense {
  expense_id: string;
  external_id: string | null;
  name: string;
  category: string;
  amount: string;
  currency: string;
  frequency: string;
  started_on: string;
  ended_on: string | null;
  counts_as_ad_spend: boolean;
}
