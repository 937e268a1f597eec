import { randomUUID } from 'node:crypto';
import { unavailable } from '../errors.js';
import type { WriteIntents } from '../redis/write-intents.js';
import type { Warehouse } from '../warehouse/client.js';
import { isDataError } from '../warehouse/failures.js';

/** What was written late, and the failures of rows that no server will ever take, which are given up. */
export interface FinishedWrites {
  shopId: string;
  rows: number;
  refusals: unknown[];
}

export interface SettingWritesDeps {
  intents: WriteIntents;
  warehouse: Warehouse;
  now: () => number;
  /** Told after a row of this shop was written late. */
  onWritten: (shopId: string) => Promise<void>;
}

/**
 * Writes of single rows that no queue holds: sources, keys, expenses, fee rules and the log of their pushes. A row is noted in
 * Redis before it is written. One whose write was cut off, or that some replica refused, is written again by the workers until
 * every server has it, so that servers of a shard agree, whatever died in between. A row may so be stored some time after its
 * request was answered with `store_unavailable`; a later change of the same record stands, since its version is higher.
 */
export interface SettingWrites {
  /** The warehouse, with such inserts: each row has its `shop_id`. */
  warehouse: Warehouse;
  /**
   * Writes what requests of the shop left open, those that still work on it too, so that a change finds what the one before it
   * has left. Throws `store_unavailable`.
   */
  finish(shopId: string): Promise<void>;
  /** The same for a shop that left something open for longer than a request takes; null when there is none. */
  finishNext(): Promise<FinishedWrites | null>;
  /** How many shops have a write that has begun and not ended. */
  countShops(): Promise<number>;
}

/** No request works on a row for as long. */
const LEFT_MS = 10_000;

export function createSettingWrites({ intents, warehouse, now, onWritten }: SettingWritesDeps): SettingWrites {
  const insert = async (table: string, row: object): Promise<void> => {
    const intent = { shopId: shopOf(row), id: randomUUID(), table, row };
    if (!(await intents.open(intent, now()))) {
      throw unavailable(
        'store_unavailable',
        'Earlier changes of the shop still wait for the warehouse; try again shortly.',
      );
    }
    try {
      await warehouse.insert(table, [row]);
    } catch (error) {
      if (isDataError(error)) await intents.close(intent);
      throw error;
    }
    // One that stays open is written once more, which changes nothing.
    await intents.close(intent).catch(() => undefined);
  };

  /** Gives the failures of rows that are at fault themselves. */
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
