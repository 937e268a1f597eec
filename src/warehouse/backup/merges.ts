import type { RowServers } from '../cluster/row-servers.js';
import type { StoredTable } from './tables.js';

/** Runs the work while no parts of these tables are merged, or while none of their rows expires. */
export async function whileStopped(
  what: 'MERGES' | 'TTL MERGES',
  { all, rows }: RowServers,
  tables: readonly StoredTable[],
  work: () => Promise<void>,
): Promise<void> {
  const send = (verb: 'STOP' | 'START'): Promise<unknown> =>
    Promise.all(
      all.flatMap(({ warehouse }) =>
        tables.map(({ name }) =>
          warehouse.run({ name: `${verb.toLowerCase()} merges`, sql: `SYSTEM ${verb} ${what} ${rows}.${name}` }),
        ),
      ),
    );
  try {
    await send('STOP');
    await work();
  } finally {
    await send('START');
  }
}
