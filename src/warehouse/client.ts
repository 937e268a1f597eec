import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import { channel } from 'node:diagnostics_channel';
import { JSON_INSERT_SETTINGS } from './columns/json-rows.js';
import { isRefused, toUnavailable } from './failures.js';
import { createGate } from './gate.js';
import type { Query, QueryParams, Statement } from './query.js';
import { settingsOf, STREAMED, type ServerKind } from './statement-settings.js';
import { createQueryKiller } from './query-killer.js';
import { createServers } from './servers.js';
import { wholeRows } from './whole-answer.js';

/** What a request or a piece of background work is, in the server's own logs: names and ids, never anything of a body. */
export type QueryTags = Record<string, string | readonly string[]>;

interface Tagged {
  /** They are in the `log_comment` of the query, next to the name of its statement. */
  tags?: QueryTags | undefined;
}

export interface QueryOptions extends Tagged {
  /** How long the caller waits, when it differs from the warehouse's own `waitMs`. */
  waitMs?: number;
  /** The shop or the hash of the key whose rows are read, where no parameter `shop` says so: the query goes to its shard. */
  key?: string;
}

/**
 * The only way to ClickHouse: plain HTTP, the same for the embedded engine and a production server. Every call ends within
 * a bound. It throws `store_unavailable`, with the cause, for whatever failure; see `failures.ts`.
 */
export interface Warehouse {
  /** All rows of a query, or an error; decimals and 64-bit integers as strings. */
  ask<Row>(query: Query<Row>, options?: QueryOptions): Promise<Row[]>;
  /** As {@link ask}, of a text without a name: for tests. */
  query<Row>(sql: string, params?: QueryParams, options?: QueryOptions): Promise<Row[]>;
  /** The whole answer of a `SELECT … FORMAT …`. */
  queryBytes(statement: Statement, options?: QueryOptions): Promise<Buffer>;
  /** DDL, or `INSERT … SELECT`. */
  run(statement: Statement, options?: Tagged): Promise<void>;
  /** As {@link run}, of a text without a name: for tests. */
  command(sql: string, params?: QueryParams, options?: Tagged): Promise<void>;
  /** Rows as objects, one insert. `threads` is how many threads the views on the table may use; absent: they run in parallel. */
  insert(table: string, rows: readonly object[], options?: Tagged & { threads?: number }): Promise<void>;
  /** Rows as bytes of an input format, one insert; the SQL ends in `FORMAT …`. */
  insertBytes(statement: Statement, bytes: Buffer, options?: Tagged): Promise<void>;
  /** Resolves when the server answers; the caller must bound the wait. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

export interface WarehouseOptions extends ServerKind {
  /** With user and password where needed: `http://user:password@host:8123`. */
  url: string;
  /** Other servers with the same tables, asked while that one gives no answer. */
  otherUrls?: readonly string[];
  database: string;
  /** Requests that the server works on at once. */
  slots?: number;
  /** Longest wait of a caller, for a connection and for the answer together. */
  waitMs?: number;
  /** Called for every request and how long its caller waited. */
  observe?: (kind: RequestKind, seconds: number, isAnswered: boolean) => void;
}

export type RequestKind = 'query' | 'command' | 'insert';

/** What identifies a request in the server's own logs. */
interface Identity {
  query_id: string;
  clickhouse_settings: { log_comment: string };
}

/** Wait of background work, for whose answer no request waits. */
const USUAL_MS = 60_000;
/** The answer of every query, as {@link Answered}: tests check its rows. */
export const ANSWERS = channel('warehouse.answers');
export interface Answered {
  query: Query<unknown>;
  rows: readonly unknown[];
}

/** Wait of a statement that may read everything that is stored. */
export const PATIENT_MS = 60 * 60_000;
/** What a statement without a name is called. */
const UNNAMED = 'unnamed';
const SLOTS = 10;
const MAX_WAITING = 200;
/** A live server answers a ping within this time, even when it is busy. */
const PING_MS = 1_500;
/** Connections besides the slots: one for pings, one to stop queries. */
const SPARE_CONNECTIONS = 2;
/** A connection that is silent for this long after its caller got an error counts as dead. */
const SILENT_MS = 120_000;

/** One server, with the bounds of its work. */
function connect(url: string, options: WarehouseOptions) {
  const { slots = SLOTS, waitMs = USUAL_MS } = options;
  const client: ClickHouseClient = createClient({
    url,
    database: options.database,
    // Every failure reaches the caller, who logs it with what it was for.
    log: { level: ClickHouseLogLevel.OFF },
    max_open_connections: slots + SPARE_CONNECTIONS,
    // Longer than any wait: the client would close the connection; see `run`.
    request_timeout: waitMs + SILENT_MS,
    // Below the server's own 10 s, so that no request meets a socket that the server is closing.
    keep_alive: { enabled: true, idle_socket_ttl: 2_500 },
    clickhouse_settings: settingsOf({ ...options, waitMs }),
  });
  const gate = createGate({ slots, mostWaiting: MAX_WAITING });
  const killer = createQueryKiller((query) =>
    client.command({ query, clickhouse_settings: { log_comment: '{"name":"kill query"}' } }).then(() => undefined),
  );
  // One at a time: a server that is silent leaves pings open as well.
  let pinging: Promise<boolean> | undefined;
  const isAlive = (): Promise<boolean> => {
    pinging ??= client
      .ping({ select: true })
      .then(({ success }) => success)
      .catch(() => false)
      .finally(() => (pinging = undefined));
    return Promise.race([pinging, sleep(PING_MS, false, { ref: false })]);
  };
  return { client, gate, killer, isAlive };
}

export function createWarehouse(options: WarehouseOptions): Warehouse {
  const { waitMs: usualMs = USUAL_MS, observe } = options;
  const urls = [options.url, ...(options.otherUrls ?? [])];
  const servers = createServers(
    urls.map((url) => connect(url, options)),
    { isAnswered: isRefused, isAlive: ({ isAlive }) => isAlive() },
  );

  /**
   * A caller that waits too long gets an error. The connection stays open, because the embedded engine ends when its client
   * leaves in the middle of an answer. Instead the query is stopped and the rest of its answer is read.
   */
  const run = async <T>(
    kind: RequestKind,
    name: string,
    { tags, waitMs = usualMs }: Pick<QueryOptions, 'tags' | 'waitMs'>,
    work: (client: ClickHouseClient, identity: Identity, isLate: () => boolean) => Promise<T>,
  ): Promise<T> => {
    const queryId = randomUUID();
    const log_comment = JSON.stringify({ name, ...tags });
    const identity = { query_id: queryId, clickhouse_settings: { log_comment } };
    const began = performance.now();
    let hasAnswer = false;
    try {
      const answer = await servers.run(({ client, gate, killer }, ms) => {
        const begin = (isLate: () => boolean): Promise<T> =>
          work(client, identity, isLate).finally(() => killer.forget(queryId));
        return gate.run(begin, { ms, onLate: () => killer.kill(queryId) });
      }, waitMs);
      hasAnswer = true;
      return answer;
    } catch (error) {
      throw toUnavailable(error, { isInsert: kind === 'insert' });
    } finally {
      observe?.(kind, (performance.now() - began) / 1_000, hasAnswer);
    }
  };

  const select = <Row>({ name, sql, params }: Statement, options: QueryOptions): Promise<Row[]> =>
    run('query', name, options, async (client, identity, isLate) => {
      const query = { query: sql, ...identity, ...(params && { query_params: params }) };
      const result = await client.query({ ...query, format: 'JSONEachRow' });
      if (!isLate()) {
        const rows = await result.json<Row>();
        // The summary of KILL QUERY counts other rows than those it answers with.
        return sql.trimStart().startsWith('KILL QUERY') ? rows : wholeRows(rows, result.response_headers);
      }
      await readToEnd(result.stream());
      return [];
    });

  const perform = ({ name, sql, params }: Statement, options: Tagged = {}): Promise<void> =>
    run('command', name, options, async (client, identity) => {
      await client.command({ query: sql, ...identity, ...(params && { query_params: params }) });
    });

  return {
    async ask<Row>(query: Query<Row>, options: QueryOptions = {}) {
      const rows = await select<Row>(query, options);
      if (ANSWERS.hasSubscribers) ANSWERS.publish({ query, rows } satisfies Answered);
      return rows;
    },
    query: (sql, params, options = {}) => select({ name: UNNAMED, sql, params }, options),
    queryBytes: ({ name, sql, params }, options = {}) =>
      run('query', name, options, async (client, { query_id, clickhouse_settings }) => {
        const settings = { ...clickhouse_settings, ...STREAMED };
        const query = { query: sql, query_id, clickhouse_settings: settings, ...(params && { query_params: params }) };
        const { stream } = await client.exec(query);
        const pieces: Buffer[] = [];
        for await (const piece of stream) pieces.push(piece as Buffer);
        return Buffer.concat(pieces);
      }),
    run: perform,
    command: (sql, params, options) => perform({ name: UNNAMED, sql, params }, options),
    async insert(table, rows, { threads, tags } = {}) {
      if (rows.length === 0) return;
      await run('insert', `insert ${table}`, { tags }, (client, { query_id, clickhouse_settings }) => {
        // Views side by side: a day of 800 orders is computed in 140 ms instead of 200, for the same CPU time.
        const views = threads === undefined ? { parallel_view_processing: 1 as const } : { max_threads: threads };
        const settings = { ...clickhouse_settings, ...JSON_INSERT_SETTINGS, ...views };
        return client.insert({ table, values: rows, format: 'JSONEachRow', query_id, clickhouse_settings: settings });
      });
    },
    insertBytes: ({ name, sql }, bytes, options = {}) =>
      run('insert', name, options, async (client, identity) => {
        const values = Readable.from([bytes], { objectMode: false });
        const { stream } = await client.exec({ query: sql, ...identity, values });
        // The answer is empty, but the socket is free only after it was read.
        await readToEnd(stream);
      }),
    async ping() {
      const ask = async ({ client }: { client: ClickHouseClient }): Promise<boolean> => {
        const answer = await client.ping({ select: true });
        if (!answer.success) throw answer.error;
        return true;
      };
      return servers.run(ask, usualMs).catch(() => false);
    },
    async close() {
      await Promise.all(servers.all.map(({ client }) => client.close()));
    },
  };
}

async function readToEnd(stream: Readable): Promise<void> {
  stream.resume();
  await finished(stream);
}
