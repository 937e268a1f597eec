import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ClickHouseError, ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import { unavailable } from '../errors.js';

/** Values of query parameters (`{name:Type}` in the SQL). */
export type QueryParams = Record<string, string | number | string[] | number[]>;

/** The only way to ClickHouse: plain HTTP, the same for the embedded engine and a production server. */
export interface Warehouse {
  /** Rows of a `SELECT`, decimals and 64-bit integers as strings. */
  query<Row>(sql: string, params?: QueryParams): Promise<Row[]>;
  /** DDL, or `INSERT … SELECT`. */
  command(sql: string, params?: QueryParams): Promise<void>;
  /** Rows as objects, one insert. `threads` bounds what the views behind the table may use; absent: the server's setting. */
  insert(table: string, rows: readonly object[], options?: { threads?: number }): Promise<void>;
  /** Ready-made bytes of an input format, one insert: `sql` ends in `FORMAT …`. */
  insertBytes(sql: string, bytes: Buffer): Promise<void>;
  /** True when the server answers within the time. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

export interface WarehouseOptions {
  /** With user and password where needed: `http://user:password@host:8123`. */
  url: string;
  database: string;
  /** Connections kept open. */
  maxOpenConnections?: number;
  requestTimeoutMs?: number;
}

/**
 * Server errors that say that the data of an insert is at fault: sending the same bytes again can't succeed. Everything
 * else (connection, memory, too many parts, shutdown) passes.
 */
const DATA_ERRORS = new Set([
  '6',
  '25',
  '26',
  '27',
  '32',
  '33',
  '38',
  '41',
  '53',
  '69',
  '70',
  '72',
  '117',
  '128',
  '130',
  '131',
  '190',
  '246',
  '321',
  '349',
  '407',
]);

export function isDataError(error: unknown): boolean {
  return error instanceof ClickHouseError && DATA_ERRORS.has(error.code);
}

/** True for a failure that the server itself told, for whatever reason. */
export function isAnswered(error: unknown): boolean {
  return error instanceof ClickHouseError;
}

/** True when the server refuses for want of rights, or keeps its users in a file so that no statement can change them. */
export function isAccessRefused(error: unknown): boolean {
  return error instanceof ClickHouseError && ['192', '497', '514'].includes(error.code);
}

/** Turns a failed read of a request into 503 `store_unavailable`; the cause stays for the log. */
export function storeUnavailable(cause: unknown): Error {
  return unavailable('store_unavailable', 'The warehouse is out of reach; try again shortly.', cause);
}

export function createWarehouse(options: WarehouseOptions): Warehouse {
  const client: ClickHouseClient = createClient({
    url: options.url,
    database: options.database,
    // Every failure reaches the caller, who logs it with what it was for.
    log: { level: ClickHouseLogLevel.OFF },
    max_open_connections: options.maxOpenConnections ?? 10,
    request_timeout: options.requestTimeoutMs ?? 60_000,
    // Below the server's own 10 s, so that no request meets a socket that the server is closing.
    keep_alive: { enabled: true, idle_socket_ttl: 2_500 },
    clickhouse_settings: {
      output_format_json_quote_decimals: 1,
      output_format_json_quote_64bit_integers: 1,
      async_insert: 0,
      // Ids travel in the statement: thousands of one settling, of up to 255 characters each.
      max_query_size: '33554432',
      wait_end_of_query: 1,
    },
  });

  return {
    async query<Row>(sql: string, params?: QueryParams) {
      const result = await client.query({ query: sql, format: 'JSONEachRow', ...(params && { query_params: params }) });
      return result.json<Row>();
    },
    async command(sql, params) {
      await client.command({ query: sql, ...(params && { query_params: params }) });
    },
    async insert(table, rows, { threads } = {}) {
      if (rows.length === 0) return;
      const settings = threads !== undefined && { clickhouse_settings: { max_threads: threads } };
      await client.insert({ table, values: rows, format: 'JSONEachRow', ...settings });
    },
    async insertBytes(sql, bytes) {
      const { stream } = await client.exec({ query: sql, values: Readable.from([bytes], { objectMode: false }) });
      // The answer is empty, but the socket is free only after it was read.
      stream.resume();
      await finished(stream);
    },
    async ping() {
      return (await client.ping({ select: true })).success;
    },
    close: () => client.close(),
  };
}
