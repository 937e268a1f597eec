import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { channel } from 'node:diagnostics_channel';
import { JSON_INSERT_SETTINGS } from './columns/json-rows.js';
import { isRefused, toUnavailable } from './failures.js';
import type { Query, QueryParams, Statement } from './query.js';
import { connect, open, USUAL_MS, type Identity, type Server, type ServerOptions } from './server.js';
import { LONG, STREAMED } from './statement-settings.js';
import { piecesOf, readToEnd } from './streamed-answer.js';
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
  /**
   * The same as it comes, read no faster than it is taken. It is asked for with the first piece; a caller that takes no more has to return
   * the generator. Throws where the answer is cut, and nothing of an error of the server is among the pieces.
   */
  stream(statement: Statement, options?: QueryOptions): AsyncGenerator<Buffer>;
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

export interface WarehouseOptions extends ServerOptions {
  /** With user and password where needed: `http://user:password@host:8123`. */
  url: string;
  /** Other servers with the same tables, asked while that one gives no answer. */
  otherUrls?: readonly string[];
  /** Called for every request and how long its caller waited. */
  observe?: (kind: RequestKind, seconds: number, isAnswered: boolean) => void;
}

export type RequestKind = 'query' | 'command' | 'insert';

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
/** Wait for the first piece of a long answer: a file of 10^6 orders by profit takes 5 s on a busy machine of two cores. */
const FIRST_PIECE_MS = 60_000;

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
    work: (server: Server, identity: Identity, isLate: () => boolean) => Promise<T>,
  ): Promise<T> => {
    const queryId = randomUUID();
    const log_comment = JSON.stringify({ name, ...tags });
    const identity = { query_id: queryId, clickhouse_settings: { log_comment } };
    const began = performance.now();
    let hasAnswer = false;
    try {
      const answer = await servers.run((server, ms) => {
        const { gate, killer } = server;
        const begin = (isLate: () => boolean): Promise<T> =>
          work(server, identity, isLate).finally(() => killer.forget(queryId));
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
    run('query', name, options, async ({ client }, identity, isLate) => {
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
    run('command', name, options, async ({ client }, identity) => {
      await client.command({ query: sql, ...identity, ...(params && { query_params: params }) });
    });

  const answers = async ({ client }: Server): Promise<boolean> => {
    const answer = await client.ping({ select: true });
    if (!answer.success) throw answer.error;
    return true;
  };

  return {
    async ask<Row>(query: Query<Row>, options: QueryOptions = {}) {
      const rows = await select<Row>(query, options);
      if (ANSWERS.hasSubscribers) ANSWERS.publish({ query, rows } satisfies Answered);
      return rows;
    },
    query: (sql, params, options = {}) => select({ name: UNNAMED, sql, params }, options),
    queryBytes: (statement, options = {}) =>
      run('query', statement.name, options, async (server, identity) => {
        const { stream } = await open(server, identity, statement, STREAMED);
        const pieces: Buffer[] = [];
        for await (const piece of stream) pieces.push(piece as Buffer);
        return Buffer.concat(pieces);
      }),
    async *stream(statement, { tags, waitMs = FIRST_PIECE_MS } = {}) {
      const begin = async (server: Server, identity: Identity, isLate: () => boolean) => {
        const { stream: answer } = await open(server, identity, statement, LONG);
        if (isLate()) await readToEnd(answer);
        return { answer, stop: () => server.killer.kill(identity.query_id) };
      };
      // Where no server answers, that fails as early as any other read.
      await run('query', statement.name, { tags }, answers);
      const { answer, stop } = await run('query', statement.name, { tags, waitMs }, begin);
      yield* piecesOf(answer, stop);
    },
    run: perform,
    command: (sql, params, options) => perform({ name: UNNAMED, sql, params }, options),
    async insert(table, rows, { threads, tags } = {}) {
      if (rows.length === 0) return;
      await run('insert', `insert ${table}`, { tags }, ({ client }, { query_id, clickhouse_settings }) => {
        // Views side by side: a day of 800 orders is computed in 140 ms instead of 200, for the same CPU time.
        const views = threads === undefined ? { parallel_view_processing: 1 as const } : { max_threads: threads };
        const settings = { ...clickhouse_settings, ...JSON_INSERT_SETTINGS, ...views };
        return client.insert({ table, values: rows, format: 'JSONEachRow', query_id, clickhouse_settings: settings });
      });
    },
    insertBytes: ({ name, sql }, bytes, options = {}) =>
      run('insert', name, options, async ({ client }, identity) => {
        const values = Readable.from([bytes], { objectMode: false });
        const { stream } = await client.exec({ query: sql, ...identity, values });
        // The answer is empty, but the socket is free only after it was read.
        await readToEnd(stream);
      }),
    async ping() {
      return servers.run(answers, usualMs).catch(() => false);
    },
    async close() {
      await Promise.all(servers.all.map(({ client }) => client.close()));
    },
  };
}
