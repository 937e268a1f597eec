import { availableParallelism } from 'node:os';
import { BI_WORKLOAD, CPU_RESOURCE } from '../../warehouse/bi/profiles.js';
import { clickHouseQuery, type ClickHouseAddress } from './clickhouse-query.js';
import type { ClickHouseUser } from './clickhouse-users.js';

/**
 * BI queries get half of the cores, and two threads at least; those of one user at most half of these. A query of this engine keeps its
 * threads to its end (it takes no `cpu_slot_preemption`), so what one user must not take is there for the next.
 */
export async function createWorkloads(at: ClickHouseAddress, users: readonly ClickHouseUser[]): Promise<void> {
  const threads = Math.max(2, Math.floor(availableParallelism() / 2));
  const create = (name: string, most: number): string =>
    `CREATE WORKLOAD ${name} SETTINGS max_concurrent_threads = ${most}`;
  const ofUsers = users.map(({ name }) => create(`${name} IN ${BI_WORKLOAD}`, Math.floor(threads / 2)));
  for (const statement of [CPU_RESOURCE, create(BI_WORKLOAD, threads), ofUsers.join(' PARALLEL WITH ')])
    await clickHouseQuery(at, statement, 10_000);
}
