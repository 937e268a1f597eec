/**
 * The fields that an event of a plain batch may have. `order_id`, `checkout_token` and `email_hash` are not among them:
 * they join an event to an order or a person, and come too seldom to be worth it.
 */
export const PLAIN_FIELDS = [
  ...(['event_id', 'type', 'ts', 'anon_id', 'consent', 'session_hint', 'url', 'referrer'] as const),
  ...(['sdk', 'store_client_id', 'product_id', 'sku', 'quantity'] as const),
] as const;
export type PlainField = (typeof PLAIN_FIELDS)[number];

const places = Object.fromEntries(PLAIN_FIELDS.map((name, place) => [name, place]));
/** The place of each field in {@link PLAIN_FIELDS}, by which a {@link PlainBatch} is asked. */
export const PLAIN = places as Readonly<Record<PlainField, number>>;

/** A batch of ordinary events, left as the bytes that it came in. All values are ASCII. */
export interface PlainBatch {
  /** Null: it is not in the body. */
  readonly token: string | null;
  /** How many events there are. */
  readonly count: number;
  readonly bytes: Buffer;
  /** The same memory. */
  readonly view: DataView;
  /** By {@link spanOf}: where a value begins in the bytes and, behind it, where it ends; both 0 where there is none. */
  readonly spans: Int32Array;
  /** By event, a bit (1 << place) for each field that is as in the event before: the same value, or none in both. */
  readonly repeated: Int32Array;
}

/** Where in {@link PlainBatch.spans} a field of an event begins. */
export function spanOf(event: number, field: number): number {
  return (event * PLAIN_FIELDS.length + field) * 2;
}

/** A value as a string; empty where there is none. */
export function plainText({ bytes, spans }: PlainBatch, event: number, field: number): string {
  const span = spanOf(event, field);
  return bytes.toString('latin1', spans[span], spans[span + 1]);
}
