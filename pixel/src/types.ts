/** What the visitor allows. Marketing never stands without analytics. */
export interface ConsentFlags {
  analytics: boolean;
  marketing: boolean;
}

/** The event types of `track`; `identify` has its own call, because it takes an address that must be hashed first. */
export type TrackType = 'page_view' | 'product_view' | 'add_to_cart' | 'begin_checkout' | 'purchase';

/** Properties an event may carry. Any other name is left out, so money can't slip in. */
export interface EventProps {
  product_id?: string | number | null;
  sku?: string | number | null;
  /** A plain decimal, for example `2` or `"1.5"`. */
  quantity?: string | number | null;
  order_id?: string | number | null;
  checkout_token?: string | number | null;
}

/** How the order of a `purchase` is found again: at least one of the two. */
export type PurchaseProps = Pick<EventProps, 'order_id' | 'checkout_token'>;

export interface PixelOptions {
  /** The pixel token, `pt_svc_…`. */
  token: string;
  /** Absolute URL of the collector, ending in `/v1/collect`. */
  endpoint: string;
  /** Consent known at start; as if `consent` were called before anything else. */
  consent?: Partial<ConsentFlags> | undefined;
  /** The visitor's country (ISO 3166-1 alpha-2, optionally with a subdivision, `US-CA`), where the server knows it. */
  region?: string | undefined;
  /** Name of the page's data layer with the commands of Google consent mode; default `dataLayer`. */
  dataLayer?: string | undefined;
  /** Domain of a cookie that keeps the identifiers for all hosts of the shop, as `example.com`; default: no cookie. */
  cookieDomain?: string | undefined;
  /** `manual` leaves page views to `track('page_view')`; default `auto`. */
  pageViews?: 'auto' | 'manual' | undefined;
  /** Client id of the store platform; default: Shopify's `_shopify_y` cookie where there is one. */
  storeClientId?: string | undefined;
}

/** The calls of the pixel. None throws, none returns anything, none waits for the network. */
export interface Pixel {
  /** The visitor's choice; it wins over every other signal. A flag that is not exactly `true` is a refusal. */
  consent(flags: Partial<ConsentFlags>): void;
  track(type: TrackType, props?: EventProps): void;
  purchase(order: PurchaseProps): void;
  /** Sends the SHA-256 of the trimmed, lowercased address; dropped without marketing consent. */
  identify(email: string): void;
}

/** One item of `events` in `POST /v1/collect`. What only consent may create is missing until there is consent. */
export interface Draft {
  type: TrackType | 'identify';
  /** RFC 3339, UTC, milliseconds: when it happened. */
  ts: string;
  url: string;
  referrer: string;
  email_hash?: string;
  product_id?: string;
  sku?: string;
  quantity?: string;
  order_id?: string;
  checkout_token?: string;
  event_id?: string;
  anon_id?: string;
  session_hint?: string;
  consent?: 'analytics' | 'analytics+marketing';
  sdk?: string;
  store_client_id?: string | undefined;
}
