import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { copyTables, type SourceChunk } from '../../operations/copy/copy-tables.js';
import { inTurns } from '../../operations/copy/in-turns.js';
import { listAll, listChanges, readList, type ListedTable } from '../../warehouse/backup/row-lists.js';
import { contentOf, NOTHING, type StoredTable } from '../../warehouse/backup/tables.js';
import { partsOf, type Link } from './chain.js';
import { readIntact, writeCompressed } from './files.js';
import { chunkFile, KEYS, listFile, type BackedUpTable } from './manifest.js';
import type { ShardCopy } from './shard-copies.js';

interface WriteOptions {
  folder: string;
  /** The databases of the copies and of their lists. */
  copy: string;
  lists: string;
  /** What this backup is an increment of; empty: it is whole. */
  chain: readonly Link[];
  stderr: Writable & { isTTY?: boolean };
  signal: AbortSignal;
}

/** Tables whose rows are hashed at the same time. */
const AT_ONCE = 4;

/** A table of a shard, with what is to be written of it. */
interface Source {
  table: StoredTable;
  shard: number;
  listed: ListedTable;
  kept: BackedUpTable['chunks'];
  chunks: SourceChunk[];
  /** The same table in the base, where only what differs is written. */
  base: BackedUpTable | undefined;
}

/** Writes the rows and the lists of all copies. */
export async function writeTables(copies: readonly ShardCopy[], options: WriteOptions): Promise<BackedUpTable[]> {
  const { folder, copy, stderr, signal } = options;
  const read = await Promise.all(copies.map(async (one) => ({ ...one, chunks: await one.snapshot.chunks() })));
  const tables = read.flatMap((one) => one.tables.map((table) => ({ ...one, table })));
  const sources = await inTurns(tables, AT_ONCE, (one) => {
    signal.throwIfAborted();
    return prepare(one, options);
  });
  const put = async ({ table: { name }, shard, kept }: Source, chunk: SourceChunk, bytes: Buffer) => {
    const file = join(folder, chunkFile({ name, shard }, kept.length));
    kept.push({ rows: chunk.rows, ...(await writeCompressed(file, bytes)) });
  };
  await copyTables(sources, put, { stderr, signal });
  const written = await inTurns(sources, AT_ONCE, async ({ table, shard, listed, kept, base }) => {
    signal.throwIfAborted();
    const part = { name: table.name, shard };
    const list: BackedUpTable['chunks'] = [];
    for (const slice of await readList(listed)) {
      const file = join(folder, listFile(part, list.length));
      list.push({ rows: slice.rows, ...(await writeCompressed(file, await slice.read())) });
    }
    const isSame = base !== undefined && list.length === 0;
    const content = isSame ? base : kept.length === 0 && base === undefined ? NOTHING : undefined;
    const { rows, hash } = content ?? (await contentOf(listed.warehouse, copy, table));
    return { ...part, rows, hash, chunks: kept, list, ...(base !== undefined && { is_increment: true }) };
  });
  for (const { snapshot, chunks } of read) await snapshot.requireUnchanged(chunks);
  return written;
}

async function prepare(
  {
    table,
    warehouse,
    shard,
    snapshot,
    chunks,
  }: ShardCopy & {
    table: StoredTable;
    chunks: Awaited<ReturnType<ShardCopy['snapshot']['chunks']>>;
  },
  { copy, lists, chain }: WriteOptions,
): Promise<Source> {
  const listed = { warehouse, copy, lists, table };
  const own = { table, shard, listed, kept: [] };
  const earlier = table.name === KEYS ? [] : partsOf(chain, { name: table.name, shard });
  const base = earlier.at(-1)?.part;
  const all = chunks.get(table.name) ?? [];
  const isEmpty = all.length === 0 && earlier.every(({ part }) => (part.list ?? []).length === 0);
  if (base === undefined || isEmpty) {
    if (!isEmpty) await listAll(listed);
    const read = all.map((chunk) => ({ rows: chunk.rows, read: () => snapshot.read(table, chunk) }));
    return { ...own, base, chunks: read };
  }
  const { chunks: fresh, only } = await listChanges(listed, listsOf(earlier));
  const read = fresh.map((chunk) => ({ rows: chunk.rows, read: () => snapshot.read(table, chunk, only) }));
  return { ...own, base, chunks: read };
}

async function* listsOf(earlier: ReturnType<typeof partsOf>): AsyncGenerator<Buffer> {
  for (const { folder, part } of earlier)
    for (const [i, slice] of (part.list ?? []).entries()) yield readIntact(join(folder, listFile(part, i)), slice);
}
