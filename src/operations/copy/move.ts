import type { Stores } from '../../composition/stores.js';
import { withLastingLock } from '../../redis/lasting-lock.js';
import { giveBack, readHome } from '../../redis/write-fence.js';
import { openCopiedParts } from '../../warehouse/backup/copied-parts.js';
import { whileStopped } from '../../warehouse/backup/merges.js';
import { createStaging, dropStaging } from '../../warehouse/backup/staging.js';
import { filledTables, schemaOf, type StoredTable } from '../../warehouse/backup/tables.js';
import { backupLock } from './lock.js';
import { MoveError, stagingOf, type Move, type MoveOptions } from './move-types.js';
import { copyInRounds } from './rounds.js';
import { switchOver } from './switch-over.js';
import { defineQuery, texts } from '../../warehouse/query.js';

/**
 * Copies all rows into another, empty ClickHouse of any number of shards while the service runs, and makes that the service's
 * warehouse. Copies parts in rounds, until a round takes under a minute. For the last one writes are held: pushes are accepted and wait in
 * Redis. Then the contents of all tables are compared, and processes of the new warehouse alone may write. If none is started in time, the
 * earlier warehouse goes on and this throws a {@link MoveError}. A move that was cut off at any moment is run again and goes on; until
 * the end the rows of the source are only read.
 */
export async function runMove(stores: Stores, options: MoveOptions): Promise<void> {
  const { from, to, ids } = options;
  if (ids.from === ids.to) throw new MoveError('both are the same warehouse: name other servers or another database');
  await withLastingLock(stores.redis, backupLock(from.database), async (requireLock) => {
    const { migrations, tables } = await schemaOf(from);
    const target = await schemaOf(to);
    if (JSON.stringify(migrations) !== JSON.stringify(target.migrations))
      throw new MoveError('both do not have one schema: run profit migrate with the variables of the service first');
    if (!(await hasMoved(stores.redis, ids))) {
      const move = await begin(options, tables);
      const expiring = tables.filter(({ hasTtl }) => hasTtl);
      // Rows that expired after they were copied would make a difference.
      await whileStopped('TTL MERGES', from, expiring, async () => {
        await copyInRounds(move);
        await switchOver(stores.redis, move, requireLock);
      });
    }
    options.onStep?.('clear');
    await dropStaging(to, stagingOf(to));
  });
}

/** Whether an earlier try ended with the switch. One that was cut off before any process of the new warehouse wrote begins again. */
async function hasMoved(redis: Stores['redis'], ids: MoveOptions['ids']): Promise<boolean> {
  const home = await readHome(redis);
  if (home === ids.to) return !(await giveBack(redis, ids.from));
  if (home === null || home === ids.from) return false;
  throw new MoveError(
    'the service has its rows in another ClickHouse by now: run it with the variables of the service',
  );
}

const STAGED_FROM = defineQuery('source of the staging', texts('id'));

/** Opens the staging of an earlier try, or makes it in an empty deployment. */
async function begin(options: MoveOptions, tables: readonly StoredTable[]): Promise<Move> {
  const { from, to, ids } = options;
  const at = stagingOf(to);
  const [first] = to.holders;
  if (first === undefined) throw new RangeError('there is no server');
  const [known] = await first.warehouse.ask(
    STAGED_FROM(`SELECT comment AS id FROM system.databases WHERE name = {at:String}`, { at }),
  );
  const isResumed = known?.id === ids.from;
  if (!isResumed) {
    const filled = await Promise.all(to.all.map(({ warehouse }) => filledTables(warehouse, to.rows)));
    if (filled.flat().length > 0)
      throw new MoveError(`the other ClickHouse is not empty (${[...new Set(filled.flat())].slice(0, 5).join(', ')})`);
  }
  const staging = await createStaging(to, tables, { at, isKept: isResumed, isPlaced: from.shards !== to.shards });
  const copied = await openCopiedParts(first.warehouse, at);
  // Last: staging that is not whole is made again.
  if (!isResumed)
    await first.warehouse.run({
      name: 'note the source of the staging',
      sql: `ALTER DATABASE ${at} MODIFY COMMENT '${ids.from}'`,
    });
  return { ...options, tables, staging, copied };
}
