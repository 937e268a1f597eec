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

/** A push of orders that has its stamps and may not be stored yet. */
export interface ReservedPush {
  batchId: string;
  /** Redis key of the job that carries it, or will. */
  jobKey: string;
  orderIds: string[];
}

/**
 * The pushes of orders of a shop that may not be stored yet. None that had its stamps when this was called is missing, unless it was
 * stored or given up meanwhile.
 */
export async function reservationsOf(redis: Redis, shopId: string): Promise<ReservedPush[]> {
  const found = new Map<string, ReservedPush>();
  for await (const page of scanPages((cursor) => redis.zscan(RESERVATIONS, cursor, 'COUNT', PAGE))) {
    const batches = pairsOf(page).map(([batchId]) => batchId);
    const texts = batches.length === 0 ? [] : await redis.mget(batches.map(reservationKey));
    for (const [i, batchId] of batches.entries()) {
      const [, shop, jobKey = '', ...orderIds] = texts[i]?.split('\n') ?? [];
      if (shop === shopId) found.set(batchId, { batchId, jobKey, orderIds });
    }
  }
  return [...found.values()];
}

/** Those of the pushes that may still not be stored. */
export async function stillReserved(redis: Redis, pushes: readonly ReservedPush[]): Promise<ReservedPush[]> {
  if (pushes.length === 0) return [];
  const scores = await redis.zmscore(RESERVATIONS, ...pushes.map(({ batchId }) => batchId));
  return pushes.filter((_, i) => scores[i] != null);
}

/** Whether the job failed for good and is kept. */
export async function isDeadJob(redis: Redis, jobKey: string): Promise<boolean> {
  const end = jobKey.lastIndexOf(':');
  return (await redis.zscore(`${jobKey.slice(0, end)}:failed`, jobKey.slice(end + 1))) !== null;
}
