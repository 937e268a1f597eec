import { Type } from 'typebox';
import type { Warehouse } from '../client.js';
import type { Part } from './part-rows.js';
import { defineQuery, texts } from '../query.js';

/** Notes which parts of a source were copied into staging, so that a copy that was cut off goes on, and later rounds copy what is new. */
export interface CopiedParts {
  /** Whether all blocks of a part of a shard are copied, and no mutation has changed them since. */
  has(shard: number, part: Part): boolean;
  /** A mutation has changed rows of the table that were copied before. */
  isOutdated(shard: number, part: Part): boolean;
  note(shard: number, parts: readonly Part[]): Promise<void>;
  /** Forgets a table, after its rows were deleted from staging. */
  forget(table: string): Promise<void>;
}

const COPIED_PARTS = defineQuery('copied parts', {
  table: Type.String(),
  shard: Type.Number(),
  ...texts('partition', 'first', 'last', 'mutation'),
});

/** In the table `copied` of a database of the target. */
export async function openCopiedParts(target: Warehouse, database: string): Promise<CopiedParts> {
  await target.run({
    name: 'create the list of copied parts',
    sql: `CREATE TABLE IF NOT EXISTS ${database}.copied
       (\`table\` String, shard UInt32, partition String, first Int64, last Int64, mutation Int64)
     ENGINE = MergeTree ORDER BY (\`table\`, shard, partition, first)`,
  });
  const stored = await target.ask(COPIED_PARTS(`SELECT * FROM ${database}.copied`));
  const rows = stored.map((row) => ({
    ...row,
    first: Number(row.first),
    last: Number(row.last),
    mutation: Number(row.mutation),
  }));
  const of = (shard: number, part: Part) =>
    rows.filter((row) => row.shard === shard && row.table === part.table && row.partition === part.partition);

  return {
    has(shard, part) {
      let next = part.first;
      for (const { first, last, mutation } of of(shard, part).sort((a, b) => a.first - b.first)) {
        if (first > next || last < next || mutation < part.mutation) continue;
        next = last + 1;
        if (next > part.last) return true;
      }
      return false;
    },
    isOutdated: (shard, part) =>
      of(shard, part).some((row) => row.first <= part.last && row.last >= part.first && row.mutation < part.mutation),
    async note(shard, parts) {
      const noted = parts.map(({ table, partition, first, last, mutation }) => ({
        table,
        shard,
        partition,
        first,
        last,
        mutation,
      }));
      await target.insert(`${database}.copied`, noted);
      rows.push(...noted);
    },
    async forget(table) {
      await target.run({
        name: 'forget copied parts',
        sql: `ALTER TABLE ${database}.copied DELETE WHERE \`table\` = {table:String} SETTINGS mutations_sync = 2`,
        params: { table },
      });
      rows.splice(0, rows.length, ...rows.filter((row) => row.table !== table));
    },
  };
}
