import { areActive, readParts, unitsOf, type Part } from '../../warehouse/backup/part-rows.js';
import { readChunk } from '../../warehouse/backup/snapshot.js';
import type { StoredTable } from '../../warehouse/backup/tables.js';
import type { RowServer } from '../../warehouse/cluster/row-servers.js';
import { copyTables, type SourceChunk, type SourceTable } from './copy-tables.js';
import { MoveError, type Move } from './move-types.js';

/** After a round that took less, what is new is copied while writes wait. */
const ROUND_MS = 60_000;
/** Rounds that may each take longer, as while an import writes faster than rows are copied. */
const MAX_ROUNDS = 100;

/** Copies until little is left to copy. */
export async function copyInRounds(move: Move): Promise<void> {
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    move.onStep?.('round');
    const began = performance.now();
    await copyNew(move);
    if (performance.now() - began < ROUND_MS) return;
  }
  throw new MoveError('more is written than is copied: stop imports, and run it again');
}

/** Copies what is not copied yet, and returns how many parts that were. A part that was merged meanwhile stays to be copied. */
export async function copyNew(move: Move, signal = move.signal): Promise<number> {
  const { from, tables, staging, copied } = move;
  const parts = await Promise.all(
    from.holders.map(async (holder) => ({ holder, parts: await readParts(holder.warehouse, from.rows) })),
  );
  const sources: SourceTable[] = [];
  let count = 0;
  for (const table of tables) {
    const own = parts.map(({ holder, parts: all }) => ({
      holder,
      parts: all.filter((part) => part.table === table.name),
    }));
    const isNew = own.some(({ holder, parts: all }) => all.some((part) => !copied.has(holder.shard, part)));
    // Rows that were deleted since, and rows of a table without keys that were copied twice, would stay in the copy.
    const isOutdated = own.some(({ holder, parts: all }) => all.some((part) => copied.isOutdated(holder.shard, part)));
    if (isOutdated || (isNew && !table.isReplacing)) {
      await staging.clear(table);
      await copied.forget(table.name);
    }
    for (const { holder, parts: all } of own) {
      const pending = all.filter((part) => !copied.has(holder.shard, part));
      count += pending.length;
      if (pending.length > 0)
        sources.push({ table, shard: holder.shard, chunks: chunksOf(move, holder, table, pending) });
    }
  }
  await copyTables(sources, ({ table, shard }, _, rows) => staging.load(table, { shard }, rows), { ...move, signal });
  return count;
}

function chunksOf({ from, copied }: Move, { warehouse, shard }: RowServer, table: StoredTable, parts: readonly Part[]) {
  return unitsOf(parts).flatMap((unit) =>
    unit.chunks.map((chunk, i): SourceChunk => {
      const isLast = i === unit.chunks.length - 1;
      return {
        rows: chunk.rows,
        read: () => readChunk(warehouse, from.rows, table, chunk),
        ...(isLast && {
          async onDone() {
            if (await areActive(warehouse, from.rows, unit.parts)) await copied.note(shard, unit.parts);
          },
        }),
      };
    }),
  );
}
