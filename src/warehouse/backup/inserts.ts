import { setTimeout as sleep } from 'node:timers/promises';
import type { Warehouse } from '../client.js';
import { defineQuery, texts } from '../query.js';

const POLL_MS = 100;

const RUNNING_INSERTS = defineQuery('running inserts', texts('running'));

/** Resolves when no insert that began before the call runs any more. An insert starts others, so none may be found twice in a row. */
export async function insertsAreOver(servers: readonly Warehouse[], signal: AbortSignal): Promise<void> {
  const since = performance.now();
  for (let free = 0; free < 2;) {
    signal.throwIfAborted();
    const running = await Promise.all(
      servers.map((server) =>
        server.ask(
          RUNNING_INSERTS(
            `SELECT count() AS running FROM system.processes WHERE query_kind = 'Insert' AND elapsed > {seconds:Float64}`,
            { seconds: (performance.now() - since) / 1_000 },
          ),
        ),
      ),
    );
    free = running.every(([row]) => row?.running === '0') ? free + 1 : 0;
    await sleep(POLL_MS);
  }
}
