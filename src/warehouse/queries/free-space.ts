import { Type } from 'typebox';
import type { Warehouse } from '../client.js';
import { defineQuery } from '../query.js';

/** Of a scrape of metrics, which waits for this. */
const WAIT_MS = 1_200;

const FREE_SPACE = defineQuery('free disk space', { free: Type.Number() });

/** The free part of the fullest disk of these servers, from 0 to 1. */
export async function leastFreeSpace(servers: readonly Warehouse[]): Promise<number> {
  const sql = 'SELECT min(unreserved_space / total_space) AS free FROM system.disks WHERE total_space > 0';
  const found = await Promise.all(servers.map((server) => server.ask(FREE_SPACE(sql), { waitMs: WAIT_MS })));
  return Math.min(...found.flat().map(({ free }) => free));
}
