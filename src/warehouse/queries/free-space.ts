import type { Warehouse } from '../client.js';

/** Of a scrape of metrics, which waits for this. */
const WAIT_MS = 1_200;

/** The free part of the fullest disk of these servers, from 0 to 1. */
export async function leastFreeSpace(servers: readonly Warehouse[]): Promise<number> {
  const sql = 'SELECT min(unreserved_space / total_space) AS free FROM system.disks WHERE total_space > 0';
  const found = await Promise.all(
    servers.map((server) => server.query<{ free: number }>(sql, {}, { waitMs: WAIT_MS })),
  );
  return Math.min(...found.flat().map(({ free }) => free));
}
