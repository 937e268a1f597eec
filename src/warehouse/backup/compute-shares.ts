import { inChunks } from '../../domain/in-chunks.js';
import { FIRST_DAY } from '../../domain/time.js';
import { createWarehouse, PATIENT_MS, type Warehouse } from '../client.js';
import type { RowServer, RowServers } from '../cluster/row-servers.js';
import { rebuildRollups, type RollupDay } from '../queries/rollups.js';
import { rebuildSpend } from '../queries/spend.js';
import {
  collectShares,
  cut,
  fromTable,
  putTogether,
  SHARE_HISTORIES,
  takeFinal,
  type ShareTables,
} from './share-histories.js';
import type { ComputeOptions } from './staging.js';

interface Options extends ComputeOptions {
  /** Shards of the backup. */
  from: number;
  stamp: number;
}

/** Days that are computed together, as by a worker. */
const DAYS = 400;
/** Days of one list query. */
const PAGE = 4_000;

/** Computes the shares of every day that had figures, then their histories; see `share-histories.ts`. */
export async function computeShares(servers: RowServers, names: ShareTables, options: Options): Promise<void> {
  const { from, stamp, signal, onDays } = options;
  const [first] = servers.holders;
  if (first === undefined) throw new RangeError('there is no server');
  const isSharded = servers.cluster !== undefined;
  const all = createWarehouse({ url: first.url, database: names.all, isSharded, waitMs: PATIENT_MS });
  try {
    let done = 0;
    for await (const days of daysOf(all, from)) {
      signal.throwIfAborted();
      await rebuildRollups(
        all,
        days.filter(({ isOfOrders }) => isOfOrders),
        () => Promise.resolve(stamp),
      );
      await rebuildSpend(
        all,
        days.filter(({ isOfSpend }) => isOfSpend),
        stamp,
      );
      onDays((done += days.length));
    }
  } finally {
    await all.close();
  }
  const onHolders = (work: (server: RowServer) => Promise<void>): Promise<unknown> =>
    Promise.all(servers.holders.map(work));
  const now = await clockOf(first.warehouse);
  for (const history of SHARE_HISTORIES) {
    signal.throwIfAborted();
    await onHolders(async ({ warehouse, shard }) => {
      await warehouse.command(collectShares(history, names, shard));
      await warehouse.command(putTogether(history, names, from));
    });
    await onHolders(async ({ warehouse, shard }) => {
      for (const statement of cut(history, names, { home: shard, stamp, now })) await warehouse.command(statement);
    });
    for (const { warehouse } of servers.all)
      for (const statement of takeFinal(history, names)) await warehouse.command(statement);
  }
}

interface Day extends RollupDay {
  isOfOrders: boolean;
  isOfSpend: boolean;
}

/** Every day in the histories, in pages. */
async function* daysOf(all: Warehouse, from: number): AsyncGenerator<Day[]> {
  const [history] = SHARE_HISTORIES;
  if (history === undefined) return;
  const tables = Array.from(
    { length: from },
    (_, i) => `SELECT shop_id, day, part FROM ${fromTable(history, i + 1)}
    WHERE (shop_id, day) > ({shop:String}, {after:Date})`,
  );
  let last = { shop: '', after: FIRST_DAY };
  for (;;) {
    const rows = await all.query<{ shop: string; date: string; orders: number; spend: number }>(
      `SELECT d.shop_id AS shop, toString(d.day) AS date, max(d.part = 'orders') AS orders, max(d.part = 'spend') AS spend
       FROM (${tables.join(' UNION ALL ')}) AS d GROUP BY d.shop_id, d.day ORDER BY d.shop_id, d.day LIMIT ${PAGE}`,
      last,
    );
    for (const chunk of inChunks(rows, DAYS)) {
      yield chunk.map(({ shop, date, orders, spend }) => ({
        shopId: shop,
        day: date,
        isOfOrders: orders === 1,
        isOfSpend: spend === 1,
      }));
    }
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE) return;
    last = { shop: end.shop, after: end.date };
  }
}

async function clockOf(warehouse: Warehouse): Promise<number> {
  const [row] = await warehouse.query<{ now: string }>('SELECT toString(toUnixTimestamp64Micro(now64(6))) AS now');
  return Number(row?.now);
}
