import type { Writable } from 'node:stream';
import { dropDatabase, prepareSnapshot } from '../../warehouse/backup/snapshot.js';
import { createSpread } from '../../warehouse/backup/spread.js';
import { isEverywhere } from '../../warehouse/backup/staging.js';
import { contentOf, sumOf, type StoredTable } from '../../warehouse/backup/tables.js';
import type { RowServers } from '../../warehouse/cluster/row-servers.js';
import { ClusterError } from '../../warehouse/migrations/cluster.js';
import { inTurns } from '../backup/in-turns.js';
import { createProgress } from '../import/progress.js';

export interface CopyOptions {
  tables: readonly StoredTable[];
  /** The newest arrival stamp. */
  stamp: number;
  stderr: Writable & { isTTY?: boolean };
  signal: AbortSignal;
}

/** Chunks that are on their way at once: each is held in memory. */
const AT_ONCE = 2;

const copyOf = ({ rows }: RowServers): string => `${rows}_move`;

/**
 * Copies all rows of shards that nobody writes to into staging on the servers of other shards, as a backup and a restore do, and
 * computes there what each shard has of its own rows. Throws a {@link ClusterError} unless all that came is all that was there.
 */
export async function copyRows(
  from: RowServers,
  to: RowServers,
  { tables, stamp, stderr, signal }: CopyOptions,
): Promise<void> {
  const copies = await Promise.all(
    from.holders.map(async ({ warehouse, shard }) => {
      const own = tables.filter((table) => shard === 1 || !isEverywhere(table));
      const snapshot = await prepareSnapshot(warehouse, { from: from.rows, into: copyOf(from), tables: own });
      await snapshot.take(own);
      return { warehouse, shard, tables: own, snapshot, chunks: await snapshot.chunks() };
    }),
  );
  const staging = await createSpread(to, tables, { from: from.shards, stamp });
  const total = copies.flatMap(({ chunks }) => [...chunks.values()].flat()).reduce((sum, { rows }) => sum + rows, 0);
  const progress = createProgress({ stream: stderr, label: 'rows', total });
  let done = 0;
  // The shards of one table by turns: of a table that is everywhere there is one copy.
  await inTurns(tables, AT_ONCE, async (table) => {
    for (const { shard, snapshot, chunks } of copies) {
      for (const chunk of chunks.get(table.name) ?? []) {
        signal.throwIfAborted();
        await staging.load(table, shard, await snapshot.read(table, chunk));
        progress.update((done += chunk.rows), done);
      }
    }
    const content = await staging.contentOf(table);
    if (content === null) return;
    const there = copies.filter((copy) => copy.tables.includes(table));
    const was = sumOf(await Promise.all(there.map(({ warehouse }) => contentOf(warehouse, copyOf(from), table))));
    if (content.rows === was.rows && content.hash === was.hash) return;
    throw new ClusterError(`"${table.name}" came to ${content.rows} rows that differ from the ${was.rows} there were`);
  }).finally(() => progress.stop());
  for (const { snapshot, chunks } of copies) await snapshot.requireUnchanged(chunks);
  const days = createProgress({ stream: stderr, label: 'days', total: undefined });
  await staging.compute?.({ signal, onDays: (count) => days.update(count, count) }).finally(() => days.stop());
}

/** What {@link copyRows} read from; harmless to repeat. */
export async function dropCopies(from: RowServers): Promise<void> {
  for (const { warehouse } of from.holders) await dropDatabase(warehouse, copyOf(from));
}
