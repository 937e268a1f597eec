import { byShard, type ShardOf } from '../../domain/shard-of.js';
import type { Warehouse } from '../client.js';
import { keyColumn } from './placement.js';

/** The servers that hold the rows; a single server is the only shard. */
export interface WarehouseShards {
  /** Each with its own connections and bounds, so that a shard that hangs holds nothing of the others. */
  each: readonly Warehouse[];
  of: ShardOf;
}

/** The only shard. */
export const singleShard = (warehouse: Warehouse): WarehouseShards => ({ each: [warehouse], of: () => 0 });

/** The shard of a shop. */
export function shardAt({ each, of }: WarehouseShards, shopId: string): Warehouse {
  const warehouse = each[of(shopId)];
  if (warehouse === undefined) throw new RangeError(`there is no shard of ${shopId}`);
  return warehouse;
}

/**
 * The warehouse of all shops. A query that names one shop or key goes straight to its shard: the Distributed tables of `all` would send
 * it there by way of another server, and for a list of (shop, order) they would ask every shard. Rows are inserted on their shards.
 * Everything else goes to the Distributed tables.
 */
export function createShardedWarehouse(all: Warehouse, shards: WarehouseShards): Warehouse {
  const at = (key: unknown): Warehouse => (typeof key === 'string' ? shardAt(shards, key) : all);
  return {
    ...all,
    ask: (query, options) => at(options?.key ?? query.params?.shop).ask(query, options),
    query: (sql, params, options) => at(options?.key ?? params?.shop).query(sql, params, options),
    queryBytes: (statement, options) => at(statement.params?.shop).queryBytes(statement, options),
    stream: (statement, options) => at(statement.params?.shop).stream(statement, options),
    run: (statement, options) => at(statement.params?.shop).run(statement, options),
    command: (sql, params, options) => at(params?.shop).command(sql, params, options),
    async insert(table, rows, options) {
      const column = keyColumn(table);
      const groups = byShard(rows, (row) => shards.of(String((row as Record<string, unknown>)[column])));
      const insert = async ([shard, group]: [number, typeof rows]) => shards.each[shard]?.insert(table, group, options);
      await Promise.all(Array.from(groups, insert));
    },
    /** Every shard answers. */
    async ping() {
      const answers = await Promise.all(shards.each.map((shard) => shard.ping()));
      return answers.every(Boolean);
    },
    async close() {
      await Promise.all([all, ...shards.each].map((one) => one.close()));
    },
  };
}
