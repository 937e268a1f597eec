import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { copyTables, type SourceChunk } from '../../operations/copy/copy-tables.js';
import { inTurns } from '../../operations/copy/in-turns.js';
import { comparedParts, type ListedPart, type PartChanges } from '../../warehouse/backup/listed-parts.js';
import { listedContent, readSlices } from '../../warehouse/backup/list-slices.js';
import {
  haveGoneRows,
  listAll,
  listChanges,
  type ListedTable,
  type ReadLists,
} from '../../warehouse/backup/row-lists.js';
import { chunksOf } from '../../warehouse/backup/snapshot.js';
import { NOTHING, sumOf, type StoredTable } from '../../warehouse/backup/tables.js';
import { partsOf, type Link } from './chain.js';
import { readIntact, writeCompressed } from './files.js';
import { chunkFile, goneFile, KEYS, listFile, type BackedUpTable } from './manifest.js';
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
  parts: readonly ListedPart[];
  /** The highest number of a list. */
  lastList: number;
  /** The same table in the base, where only what differs is written. */
  base: BackedUpTable | undefined;
}

/** Writes the rows and the lists of all copies. */
export async function writeTables(copies: readonly ShardCopy[], options: WriteOptions): Promise<BackedUpTable[]> {
  const { folder, stderr, signal } = options;
  const read = await Promise.all(copies.map(async (one) => ({ ...one, stored: await one.snapshot.parts() })));
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
  const written = await inTurns(sources, AT_ONCE, async ({ table, shard, listed, kept, parts, lastList, base }) => {
    signal.throwIfAborted();
    const part = { name: table.name, shard };
    const putSlices = async (of: 'list' | 'gone', fileOf: typeof listFile): Promise<BackedUpTable['chunks']> => {
      const files: BackedUpTable['chunks'] = [];
      for (const slice of await readSlices(listed, of)) {
        const file = join(folder, fileOf(part, files.length));
        files.push({ rows: slice.rows, ...(await writeCompressed(file, await slice.read())) });
      }
      return files;
    };
    const list = await putSlices('list', listFile);
    const gone = await putSlices('gone', goneFile);
    const content = sumOf([base ?? NOTHING, await listedContent(listed)]);
    const listing = { parts: [...parts], lists: lastList, list, gone };
    return { ...part, ...content, chunks: kept, ...listing, ...(base !== undefined && { is_increment: true }) };
  });
  for (const { snapshot, stored } of read) await snapshot.requireUnchanged(stored);
  return written;
}

async function prepare(
  {
    table,
    warehouse,
    shard,
    snapshot,
    stored,
  }: ShardCopy & {
    table: StoredTable;
    stored: Awaited<ReturnType<ShardCopy['snapshot']['parts']>>;
  },
  { copy, lists, chain }: WriteOptions,
): Promise<Source> {
  let listed = { warehouse, copy, lists, table, key: table.name };
  const earlier = table.name === KEYS ? [] : partsOf(chain, { name: table.name, shard });
  const base = earlier.at(-1)?.part;
  const there = stored.get(table.name) ?? [];
  const own = { table, shard, listed, kept: [], base };
  const { parts = [], lists: lastList = 0 } = base ?? {};
  const changes = comparedParts(parts, there, lastList);
  const all: PartChanges = { kept: [], fresh: comparedParts([], there, lastList).fresh, gone: parts };
  const end = lastList + all.fresh.length;
  if (base === undefined) {
    await listAll(listed, all.fresh);
    const chunks = chunksOf(there).map((chunk) => ({ rows: chunk.rows, read: () => snapshot.read(table, chunk) }));
    return { ...own, chunks, parts: all.fresh.map(({ hash, list }) => ({ hash, lists: [list] })), lastList: end };
  }
  if (changes.fresh.length + changes.gone.length === 0) return { ...own, chunks: [], parts, lastList };
  const read = readerOf(earlier);
  let found = await listChanges(listed, changes, read);
  if (await haveGoneRows(listed, changes.kept, read)) {
    listed = { ...listed, key: `${table.name} again` };
    found = await listChanges(listed, all, read);
  }
  const { chunks, only } = found;
  return {
    ...own,
    listed,
    chunks: chunks.map((chunk) => ({ rows: chunk.rows, read: () => snapshot.read(table, chunk, only) })),
    parts: found.parts,
    lastList: end,
  };
}

/** Of the files those alone that may have one of the lists. */
const readerOf = (earlier: ReturnType<typeof partsOf>): ReadLists =>
  async function* (numbers) {
    let last = 0;
    for (const { folder, part } of earlier) {
      const first = last + 1;
      last = part.lists;
      if (![...numbers].some((number) => number >= first && number <= last)) continue;
      for (const [i, slice] of part.list.entries()) yield readIntact(join(folder, listFile(part, i)), slice);
    }
  };
