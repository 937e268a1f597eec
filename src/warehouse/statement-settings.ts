import type { ClickHouseSettings } from '@clickhouse/client';

/** How the tables store their rows. */
export interface ServerKind {
  /** True for the Distributed tables over all shards. */
  isSharded?: boolean;
  /** True where ClickHouse keeps the rows of a table on several servers. */
  isReplicated?: boolean;
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
  // The server sends an answer when it has all of it, and how many rows that are: see `whole-answer.ts`.
  wait_end_of_query: 1,
  // So many bytes of it wait in memory, the rest in a file, which a full disk does not take. No answer of usual size is longer: a page of
  // an export has 2 MB. The memory is taken as the answer grows, and counts as that of the query. Reads take as long as with a file alone:
  // of a shop with 30,000 orders the figures of a month 82 ms (78 with a file), its days 113 (106), a page of 250 orders 562 (592), all of them as CSV
  // 1,683 (1,687); medians on a busy machine.
  http_response_buffer_size: String(16 * 1024 * 1024),
} as const;

/**
 * Settings of statements whose answers are long and of a format whose rows can't be counted: the server puts nothing aside. What it can't
 * send breaks the connection, so that the end of the body is the end of the answer.
 */
export const STREAMED = { wait_end_of_query: 0 } as const;

const MIB = 1024 * 1024;
/**
 * The same of a statement that reads, sorts or groups so much that its answer is taken as it comes: what is more than that waits in files, and
 * errors of the first pieces still come as such.
 */
export const LONG = {
  ...STREAMED,
  http_response_buffer_size: String(4 * MIB),
  max_bytes_before_external_sort: String(256 * MIB),
  max_bytes_before_external_group_by: String(256 * MIB),
} as const;

/** Further settings of statements on the Distributed tables. */
const SHARDED_SETTINGS = {
  // A query of one shop asks its shard alone, and a sub-query reads the same shard: all rows of a shop are there.
  optimize_skip_unused_shards: 1,
  distributed_product_mode: 'local',
  // A query fails rather than leave out a shard.
  skip_unavailable_shards: 0,
  // A write is answered when its shards have stored it. A repeat does all its work again.
  distributed_foreground_insert: 1,
  deduplicate_insert: 'disable',
} as const;

/**
 * Settings of statements on `Replicated*` tables. A write is answered when most servers have it, and a read sees every such write,
 * whichever server is asked. Other combinations lose or hide rows: without the serial quorum, of two parallel inserts one may be on the
 * majority and the other be counted, and a sequentially consistent read sees neither (PeerDB#4676).
 */
const REPLICATED_SETTINGS = {
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  insert_quorum_timeout: 20_000,
  select_sequential_consistency: '1',
} as const;

/** How long a server waits at most for another one to greet it; what the engine itself waits. */
const GREETING_MS = 10_000;

/** The settings of every statement to such servers, of a caller that waits `waitMs`: it is to get the answer of a second server. */
export const settingsOf = ({
  isSharded = false,
  isReplicated = false,
  waitMs,
}: ServerKind & { waitMs: number }): ClickHouseSettings => ({
  ...SETTINGS,
  ...(isSharded && { ...SHARDED_SETTINGS, handshake_timeout_ms: Math.min(Math.floor(waitMs / 4), GREETING_MS) }),
  ...(isReplicated && REPLICATED_SETTINGS),
});
