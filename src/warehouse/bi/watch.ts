import { BI_LIMITS, BI_LONGEST_SECONDS, BI_MOST_BYTES, BI_MOST_ROWS, BI_PREFIX } from './access.js';
import type { Warehouse } from '../client.js';

/**
 * Stops queries of BI users that have stripped off a limit or outlived all of them; gives how many. The engine checks every
 * change of a setting against the user's bounds, but not the reset to its default (`max_memory_usage = DEFAULT`), which is
 * "no limit", nor what a subquery sets for its own reading (`max_rows_to_read = 0`): this is what holds then.
 */
export async function stopUnboundQueries(warehouse: Warehouse): Promise<number> {
  const limits = BI_LIMITS.map((name) => `'${name}'`).join(', ');
  const stopped = await warehouse.query(
    `KILL QUERY WHERE startsWith(user, '${BI_PREFIX}')
     AND (elapsed > ${BI_LONGEST_SECONDS} OR read_rows > ${BI_MOST_ROWS} OR read_bytes > ${BI_MOST_BYTES}
          OR NOT hasAll(mapKeys(Settings), [${limits}])) ASYNC`,
  );
  return stopped.length;
}
