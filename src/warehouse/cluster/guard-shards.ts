import { setTimeout as sleep } from 'node:timers/promises';
import { createWarehouse } from '../client.js';
import { ClusterError } from '../migrations/cluster.js';
import { checkShards } from './check-shards.js';
import { MovingError } from './move-state.js';

export interface GuardedShards {
  cluster: string;
  nodes: readonly string[];
  database: string;
}

const RETRY_MS = 5_000;
const WAIT_MS = 10_000;

/**
 * Asks the servers until each has answered once; a service goes on meanwhile, since it takes pushes while a server is away.
 * While rows are moved to other shards, the tables refuse what would be wrong (`closing.ts`), and who is right is known later.
 * Throws a {@link ClusterError} as soon as figures could be parts: see {@link checkShards}.
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
        throw new ClusterError(`the servers of "${cluster}" do not have one schema: run profit migrate`);
      } catch (error) {
        if (error instanceof ClusterError && !(error instanceof MovingError)) throw error;
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  } finally {
    await Promise.all(nodes.map(({ warehouse }) => warehouse.close()));
  }
}
