import { setTimeout as sleep } from 'node:timers/promises';
import { ClickHouseLogLevel, createClient, type ClickHouseClient, type ClickHouseSettings } from '@clickhouse/client';
import { createGate } from './gate.js';
import type { Statement } from './query.js';
import { settingsOf, type ServerKind } from './statement-settings.js';
import { createQueryKiller } from './query-killer.js';

/** Wait of background work, for whose answer no request waits. */
export const USUAL_MS = 60_000;
const SLOTS = 10;
const MAX_WAITING = 200;
/** A live server answers a ping within this time, even when it is busy. */
const PING_MS = 1_500;
/** Connections besides the slots: one for pings, one to stop queries, and as many as there are exports (`http/exports/slots.ts`). */
const SPARE_CONNECTIONS = 10;
/** A connection that is silent for this long after its caller got an error counts as dead. */
const SILENT_MS = 120_000;

/** What identifies a request in the server's own logs. */
export interface Identity {
  query_id: string;
  clickhouse_settings: { log_comment: string };
}

export interface ServerOptions extends ServerKind {
  database: string;
  /** Requests that the server works on at once. */
  slots?: number;
  /** Longest wait of a caller, for a connection and for the answer together. */
  waitMs?: number;
}

export type Server = ReturnType<typeof connect>;

/** One server, with the bounds of its work. */
export function connect(url: string, options: ServerOptions) {
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

/** The answer in a format that the statement names. */
export const open = (
  { client }: Server,
  { query_id, clickhouse_settings }: Identity,
  { sql: query, params }: Statement,
  more: ClickHouseSettings,
) =>
  client.exec({
    query,
    query_id,
    clickhouse_settings: { ...clickhouse_settings, ...more },
    ...(params && { query_params: params }),
  });
