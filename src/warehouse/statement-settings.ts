import type { ClickHouseSettings } from '@clickhouse/client';

/** How the tables store their rows. */
export interface ServerKind {
  /** True where the tables of the database spread them over shards. */
  isSharded?: boolean;
  /** Of replicated tables: how many servers must have a write before it is answered, so that a read of any of them finds it; 1 when absent. */
  replicas?: number;
}

/** Settings of every statement. */
export const SETTINGS = {
  output_format_json_quote_decimals: 1,
  output_format_json_quote_64bit_integers: 1,
  async_insert: 0,
  // The first try of an insert may have filled the table but not its views. A replicated table that recognised the second try as a
  // repeat would not feed the views either.
  insert_deduplicate: 0,
  // Statements carry ids: thousands when orders are settled, of up to 255 characters each.
  max_query_size: '33554432',
  wait_end_of_query: 1,
  // A write is answered when all its shards have stored it. This has no effect on a single server, but the server may have become
  // one of several shards since this process began.
  distributed_foreground_insert: 1,
  // Rows of an INSERT … SELECT into a table that is everywhere go to every server, not only to the one that they were read from.
  parallel_distributed_insert_select: '0',
} as const;

/** Further settings of every statement on shards. */
const SHARDED_SETTINGS = {
  // A repeated write does all its work again.
  deduplicate_insert: 'disable',
  // A query fails rather than leave out a shard, or see one shard alone in a sub-query.
  skip_unavailable_shards: 0,
  distributed_product_mode: 'deny',
  // Every query reads the first live replica of a shard: the times of what replicas computed differ by milliseconds.
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
  // A replica that is silent for this long is passed over; a busy one is not.
  hedged_connection_timeout_ms: 1_000,
  receive_timeout: 30,
} as const;

/**
 * How long a write waits for replicas that are behind. All of them must have it. A majority would be enough only for reads with
 * `select_sequential_consistency`, which makes the inserts of a table wait for each other.
 */
const QUORUM_MS = 20_000;

/** How long a server waits at most for another one to greet it; what the engine itself waits. */
const GREETING_MS = 10_000;

/** The settings of every statement to such servers, of a caller that waits `waitMs`: it is to get the answer of a second replica. */
export const settingsOf = ({
  isSharded = false,
  replicas = 1,
  waitMs,
}: ServerKind & { waitMs: number }): ClickHouseSettings => ({
  ...SETTINGS,
  ...(isSharded && { ...SHARDED_SETTINGS, handshake_timeout_ms: Math.min(Math.floor(waitMs / 4), GREETING_MS) }),
  ...(replicas > 1 && { insert_quorum: String(replicas), insert_quorum_timeout: QUORUM_MS }),
});
