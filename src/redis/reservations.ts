import type { Redis } from 'ioredis';
import { COUNT, MAX_ENTRIES, RESERVATIONS, reservationKey } from './order-versions.js';
import { pairsOf, scanPages } from './scan.js';
import { scriptFile } from './script.js';

/** A reservation of a push that is not in the warehouse yet, see `order-versions.ts`. */
export interface KeptReservation {
  batchId: string;
  /** Mark, shop, job and ids, a line each. */
  text: string;
  /** Id and version of those of its orders that are still remembered. */
  versions: [orderId: string, version: string][];
}

const PAGE = 100;

/** The reservations of pushes that may not be stored yet. One that ends meanwhile may be missing. */
export async function* readReservations(redis: Redis): AsyncGenerator<KeptReservation> {
  for await (const page of scanPages((cursor) => redis.zscan(RESERVATIONS, cursor, 'COUNT', PAGE))) {
    for (const [batchId] of pairsOf(page)) {
      const text = await redis.get(reservationKey(batchId));
      if (text !== null) yield { batchId, text, versions: await versionsOf(redis, text) };
    }
  }
}

async function versionsOf(redis: Redis, text: string): Promise<[string, string][]> {
  const [mark = '', shopId = '', , ...orderIds] = text.split('\n');
  if (orderIds.length === 0) return [];
  const entries = await redis.hmget(`versions:{${shopId}}`, ...orderIds);
  // Versions of other pushes are in their own reservations, or in the warehouse.
  return orderIds.flatMap((id, i): [string, string][] => {
    const own = entries[i]?.split(',').find((entry) => entry.endsWith(`:${mark}`));
    return own === undefined ? [] : [[id, own]];
  });
}

/** Harmless to repeat. The shop's source must have no `known_from`, see `order-versions.ts`. */
export async function putReservation(redis: Redis, kept: KeptReservation, nowMs: number): Promise<void> {
  const { batchId, text, versions } = kept;
  const [, shopId = '', , ...orderIds] = text.split('\n');
  const keys = [`versions:{${shopId}}`, RESERVATIONS, reservationKey(batchId), COUNT];
  await scriptFile(redis, 'restore-reservation')(keys, {
    batch: batchId,
    text,
    now: nowMs,
    orders: orderIds.length,
    versions: versions.flat(),
    max_entries: MAX_ENTRIES,
  });
}
