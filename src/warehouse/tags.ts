import type { QueryTags, Warehouse } from './client.js';
import type { WarehouseShards } from './cluster/sharded-warehouse.js';

/** The same warehouse for one piece of work, whose tags its queries carry. `tell` is asked when a query is made: a route is known only then. */
export function withTags(warehouse: Warehouse, tell: () => QueryTags): Warehouse {
  return {
    ...warehouse,
    ask: (query, options) => warehouse.ask(query, { ...options, tags: tell() }),
    query: (sql, params, options) => warehouse.query(sql, params, { ...options, tags: tell() }),
    queryBytes: (statement) => warehouse.queryBytes(statement, { tags: tell() }),
    stream: (statement) => warehouse.stream(statement, { tags: tell() }),
    run: (statement) => warehouse.run(statement, { tags: tell() }),
    command: (sql, params) => warehouse.command(sql, params, { tags: tell() }),
    insert: (table, rows, options) => warehouse.insert(table, rows, { ...options, tags: tell() }),
    insertBytes: (statement, bytes) => warehouse.insertBytes(statement, bytes, { tags: tell() }),
  };
}

export function shardsWithTags({ each, of }: WarehouseShards, tell: () => QueryTags): WarehouseShards {
  return { each: each.map((one) => withTags(one, tell)), of };
}
