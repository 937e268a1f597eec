import type { ClickHouseSettings } from '@clickhouse/client';

/** Where the rows of the tables lie. */
export interface ServerKind {
  /** True where the tables of the database spread them over shards. */
  isSharded?: boolean;
  /** Of replicated tables: servers that have a write before it is answered, so that each of them tells it. One when absent. */
  replicas?: number;
}

/** Of every statement. */
export const SETTINGS = {
  output_format_json_quote_decimals: 1,
  output_format_json_quote_64bit_integers: 1,
  async_insert: 0,
  // An insert that is sent again may have filled its table and not the views behind it: a replicated table that took it for
  // a repeat would not feed them either.
  insert_deduplicate: 0,
  // Ids travel in the statement: thousands of one settling, of up to 255 characters each.
  max_query_size: '33554432',
  wait_end_of_query: 1,
  // A write is answered when all its shards have stored it. On a single server they say nothing, but it may have become one of
  // several shards since this process began.
  distributed_foreground_insert: 1,
  // Rows selected for a table that is everywhere go to every server, not to the one that they were read from.
  parallel_distributed_insert_select: '0',
} as const;

/** Of every statement where there are shards. */
const SHARDED_SETTINGS = {
  // A repeat of a write does all its work again.
  deduplicate_insert: 'disable',
  // A figure never leaves out a shard; a sub-query never sees one shard alone.
  skip_unavailable_shards: 0,
  distributed_product_mode: 'deny',
  // Of the replicas of a shard the first one that lives, whoever asks: what they computed has moments that differ by milliseconds.
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
  // The next replica is asked when one is silent for this long, not when it is busy.
  hedged_connection_timeout_ms: 1_000,
  // Before the wait of a request is over.
  handshake_timeout_ms: 2_000,
  receive_timeout: 30,
} as const;

/**
 * How long a write waits for replicas that are behind. All of them have to have it: a majority would be right for reads with
 * `select_sequential_consistency` alone, under which one insert of a table waits for the other.
 */
const QUORUM_MS = 20_000;

/** Of every statement to such servers. */
export const settingsOf = ({ isSharded = false, replicas = 1 }: ServerKind): ClickHouseSettings => ({
  ...SETTINGS,
  ...(isSharded && SHARDED_SETTINGS),
  ...(replicas > 1 && { insert_quorum: String(replicas), insert_quorum_timeout: QUORUM_MS }),
});
