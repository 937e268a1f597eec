import { randomUUID } from 'node:crypto';
import { unavailable } from '../errors.js';
import type { WriteIntent, WriteIntents } from '../redis/write-intents.js';
import type { Warehouse } from '../warehouse/client.js';
import { isDataError } from '../warehouse/failures.js';

/** What was written late. Rows that no server will ever accept are given up; `refusals` has their errors. */
export interface FinishedWrites {
  shopId: string;
  rows: number;
  refusals: unknown[];
}

export interface SettingWritesDeps {
  intents: WriteIntents;
  warehouse: Warehouse;
  now: () => number;
  /** Called after a row of the shop was written late. */
  onWritten: (shopId: string) => Promise<void>;
}

/**
 * Writes of single rows that are in no queue: sources, keys, expenses, fee rules and the log of their pushes. Each row is noted in Redis
 * before it is written. If the write is cut off, or fails on a replica, workers repeat it until every server has the row, so that the
 * servers of a shard agree. So a row may be stored some time after its request was answered with `store_unavailable`. A later change of
 * the same record wins, since its version is higher.
 */
export interface SettingWrites {
  /** The warehouse with these inserts; each row must have a `shop_id`. */
  warehouse: Warehouse;
  /** Notes a row that the workers are to write, as one whose write was cut off. */
  leave(table: string, row: { shop_id: string }): Promise<void>;
  /**
   * Writes all open rows of the shop, also those of requests that are under way, so that a change sees all earlier ones. Throws
   * `store_unavailable`.
   */
  finish(shopId: string): Promise<void>;
  /** The same for one shop with rows that are open for longer than a request takes; null if there is none. */
  finishNext(): Promise<FinishedWrites | null>;
  /** How many shops have open rows. */
  countShops(): Promise<number>;
}

/** Longer than any request works on a row. */
const LEFT_MS = 10_000;

export function createSettingWrites({ intents, warehouse, now, onWritten }: SettingWritesDeps): SettingWrites {
  const open = async (table: string, row: object): Promise<WriteIntent> => {
    const intent = { shopId: shopOf(row), id: randomUUID(), table, row };
    if (await intents.open(intent, now())) return intent;
    throw unavailable(
      'store_unavailable',
      'Earlier changes of the shop still wait for the warehouse; try again shortly.',
    );
  };

  const insert = async (table: string, row: object): Promise<void> => {
    const intent = await open(table, row);
    try {
      await warehouse.insert(table, [row]);
    } catch (error) {
      if (isDataError(error)) await intents.close(intent);
      throw error;
    }
    // If this fails, the row is written once more, which changes nothing.
    await intents.close(intent).catch(() => undefined);
  };

  /** Gives the errors of rows that are at fault themselves. */
  const writeAgain = async (table: string, rows: readonly object[]): Promise<unknown[]> => {
    try {
      await warehouse.insert(table, rows);
      return [];
    } catch (error) {
      if (!isDataError(error)) throw error;
      if (rows.length === 1) return [error];
    }
    const refusals: unknown[] = [];
    for (const row of rows) refusals.push(...(await writeAgain(table, [row])));
    return refusals;
  };

  const finish = async (shopId: string, beforeMs: number): Promise<FinishedWrites> => {
    const left = await intents.of(shopId, beforeMs);
    const refusals: unknown[] = [];
    for (const table of new Set(left.map((intent) => intent.table))) {
      const rows = left.filter((intent) => intent.table === table).map(({ row }) => row);
      refusals.push(...(await writeAgain(table, rows)));
    }
    if (left.length > 0) await onWritten(shopId);
    await Promise.all(left.map((intent) => intents.close(intent)));
    return { shopId, rows: left.length - refusals.length, refusals };
  };

  return {
    warehouse: {
      ...warehouse,
      async insert(table, rows) {
        for (const row of rows) await insert(table, row);
      },
    },
    async leave(table, row) {
      await open(table, row);
    },
    async finish(shopId) {
      await finish(shopId, Infinity);
    },
    async finishNext() {
      const before = now() - LEFT_MS;
      const shopId = await intents.nextShop(before, now());
      return shopId === null ? null : finish(shopId, before);
    },
    countShops: () => intents.countShops(),
  };
}

function shopOf(row: object): string {
  if ('shop_id' in row && typeof row.shop_id === 'string') return row.shop_id;
  throw new TypeError('a row of settings names its shop');
}
