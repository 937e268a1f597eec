import { setTimeout as sleep } from 'node:timers/promises';
import { createWarehouse } from '../client.js';
import { ClusterError } from '../migrations/cluster.js';
import { checkShards, notOneSchema } from './check-shards.js';
import { MovingError } from './move-state.js';

export interface GuardedShards {
  cluster: string;
  nodes: readonly string[];
  database: string;
}

const RETRY_MS = 5_000;
const WAIT_MS = 10_000;

/**
 * Asks the servers until all have answered. The service runs meanwhile, since it accepts pushes while a server is away. While rows
 * move to other shards, the tables refuse statements that would be wrong (`closing.ts`), so the check waits for the end of the move.
 * Throws a {@link ClusterError} if figures could lack rows, see {@link checkShards}.
 */
export async function guardShards({ cluster, nodes: urls, database }: GuardedShards): Promise<void> {
  const nodes = urls.map((url) => ({
    name: new URL(url).host,
    warehouse: createWarehouse({ url, database: 'system', slots: 1, waitMs: WAIT_MS }),
  }));
  try {
    for (;;) {
      try {
        const { isOneSchema } = await checkShards(nodes, { cluster, database });
        if (isOneSchema) return;
        throw notOneSchema(cluster);
      } catch (error) {
        if (error instanceof ClusterError && !(error instanceof MovingError)) throw error;
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  } finally {
    await Promise.all(nodes.map(({ warehouse }) => warehouse.close()));
  }
}
