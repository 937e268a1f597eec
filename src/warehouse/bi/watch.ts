import { Type } from 'typebox';
import { BI_PREFIX, BI_USERS } from './access.js';
import { BI_LIMITS, BI_LONGEST_SECONDS, BI_MOST_BYTES, BI_MOST_ROWS, OVERDUE_SECONDS } from './profiles.js';
import type { Warehouse } from '../client.js';
import { defineQuery, texts } from '../query.js';

/** What the server says of each. */
const STOPPED = defineQuery('stop BI queries', texts('kill_status', 'query_id', 'user', 'query'));

const RUNNING = defineQuery('running BI queries', { queries: Type.Number(), seconds: Type.Number() });

const BOUND = defineQuery('BI users that ever were', { users: Type.Number() });

/** Whether a BI user was ever bound to a shop: without one there are no queries to look for. */
export async function hadBiUsers(servers: readonly Warehouse[]): Promise<boolean> {
  const query = BOUND(`SELECT toUInt32(count()) AS users FROM (SELECT 1 FROM ${BI_USERS} LIMIT 1)`);
  const rows = (await Promise.all(servers.map((server) => server.ask(query)))).flat();
  return rows.some(({ users }) => users > 0);
}

export interface RunningQueries {
  queries: number;
  /** Seconds by which one of them has outlived its limit of time; 0: none has. */
  overdueSeconds: number;
}

/** The queries of BI users on all servers. */
export async function runningQueries(servers: readonly Warehouse[]): Promise<RunningQueries> {
  const query = RUNNING(
    `SELECT toUInt32(count()) AS queries, max(${OVERDUE_SECONDS}) AS seconds FROM system.processes WHERE startsWith(user, '${BI_PREFIX}')`,
  );
  const rows = (await Promise.all(servers.map((server) => server.ask(query)))).flat();
  return {
    queries: rows.reduce((sum, { queries }) => sum + queries, 0),
    overdueSeconds: Math.max(0, ...rows.map(({ seconds }) => seconds)),
  };
}

/**
 * Stops queries of BI users that have stripped off a limit or outlived all of them, on every server by itself; gives how many.
 * The engine checks every change of a setting against the user's bounds, but not the reset to its default
 * (`max_memory_usage = DEFAULT`), which is "no limit", nor what a subquery sets for its own reading (`max_rows_to_read = 0`):
 * this is what holds then. Throws when a server gives no answer, once the others have been asked.
 */
export async function stopUnboundQueries(servers: readonly Warehouse[]): Promise<number> {
  const limits = BI_LIMITS.map((name) => `'${name}'`).join(', ');
  const stop = (server: Warehouse): Promise<unknown[]> =>
    server.ask(
      STOPPED(`KILL QUERY WHERE startsWith(user, '${BI_PREFIX}')
       AND (elapsed > ${BI_LONGEST_SECONDS} OR read_rows > ${BI_MOST_ROWS} OR read_bytes > ${BI_MOST_BYTES}
            OR NOT hasAll(mapKeys(Settings), [${limits}])) ASYNC`),
    );
  let stopped = 0;
  for (const result of await Promise.allSettled(servers.map(stop))) {
    if (result.status === 'rejected') throw result.reason;
    stopped += result.value.length;
  }
  return stopped;
}
