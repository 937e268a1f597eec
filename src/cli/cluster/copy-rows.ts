import type { Writable } from 'node:stream';
import { dropDatabase } from '../../warehouse/backup/snapshot.js';
import { createSpread } from '../../warehouse/backup/spread.js';
import { contentOf, countRows, sumOf, type StoredTable } from '../../warehouse/backup/tables.js';
import type { RowServers } from '../../warehouse/cluster/row-servers.js';
import { ClusterError } from '../../warehouse/migrations/cluster.js';
import { inTurns } from '../backup/in-turns.js';
import { prepareShardCopies } from '../backup/shard-copies.js';
import { createProgress } from '../import/progress.js';

export interface CopyOptions {
  tables: readonly StoredTable[];
  /** The newest arrival stamp. */
  stamp: number;
  stderr: Writable & { isTTY?: boolean };
  signal: AbortSignal;
  /** Throws if another process may move rows too. */
  requireLock: () => Promise<void>;
}

/** Chunks that are copied at the same time: each is in memory. */
const AT_ONCE = 2;

const copyOf = ({ rows }: RowServers): string => `${rows}_move`;

/**
 * Copies all rows into staging on the servers of the other shards while nobody writes them, as a backup and a restore would, and computes
 * the shares of each shard there. Throws a {@link ClusterError} unless the copies have the same content.
 */
export async function copyRows(
  from: RowServers,
  to: RowServers,
  { tables, stamp, stderr, signal, requireLock }: CopyOptions,
): Promise<void> {
  const prepared = await prepareShardCopies(from, copyOf(from), tables);
  const copies = await Promise.all(
    prepared.map(async (copy) => {
      await copy.snapshot.take(copy.tables);
      return { ...copy, chunks: await copy.snapshot.chunks() };
    }),
  );
  const staging = await createSpread(to, tables, { from: from.shards, stamp });
  const total = countRows(copies.flatMap(({ chunks }) => [...chunks.values()].flat()));
  const progress = createProgress({ stream: stderr, label: 'rows', total });
  let done = 0;
  // One shard of a table after the other.
  await inTurns(tables, AT_ONCE, async (table) => {
    for (const { shard, snapshot, chunks } of copies) {
      for (const chunk of chunks.get(table.name) ?? []) {
        const read = await snapshot.read(table, chunk);
        await requireLock();
        await staging.load(table, shard, read);
        progress.update((done += chunk.rows));
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
  await staging.compute?.({ signal, onDays: days.update }).finally(() => days.stop());
}

/** Drops the copies that {@link copyRows} read; harmless to repeat. */
export async function dropCopies(from: RowServers): Promise<void> {
  for (const { warehouse } of from.holders) await dropDatabase(warehouse, copyOf(from));
}
