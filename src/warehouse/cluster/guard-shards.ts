import { setTimeout as sleep } from 'node:timers/promises';
import { createWarehouse } from '../client.js';
import { readServer, requireShards, type ShardLayout } from './check-shards.js';
import { ClusterError } from './cluster-error.js';

export interface GuardedShards extends ShardLayout {
  database: string;
}

const RETRY_MS = 5_000;
const WAIT_MS = 10_000;

/**
 * Asks the servers until all have answered. The service runs meanwhile, since it serves the shops of the other shards while one is away.
 * Throws a {@link ClusterError} if rows would be looked for on a wrong shard, see {@link requireShards}.
 */
export async function guardShards({ database, ...layout }: GuardedShards): Promise<void> {
  const servers = layout.nodes.map((url) => ({
    name: new URL(url).host,
    warehouse: createWarehouse({ url, database: 'system', slots: 1, waitMs: WAIT_MS }),
  }));
  try {
    for (;;) {
      try {
        const states = await Promise.all(
          servers.map(({ name, warehouse }) => readServer(name, warehouse, layout.cluster, database)),
        );
        requireShards(states, layout);
        if (new Set(states.map(({ schema }) => schema)).size === 1 && states.every(({ mark }) => mark !== '')) return;
        throw new ClusterError(`the servers of "${layout.cluster}" do not have one schema: run profit migrate`);
      } catch (error) {
        if (error instanceof ClusterError) throw error;
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  } finally {
    await Promise.all(servers.map(({ warehouse }) => warehouse.close()));
  }
}
