import { defineQuery, texts } from '../query.js';
import { NOTHING, type Content } from './tables.js';
import type { ListedTable } from './row-lists.js';

/** Entries that are read together, in the format `Native`. */
export interface ListSlice {
  rows: number;
  read(): Promise<Buffer>;
}

const SLICE_ROWS = 1_048_576;
/** What is kept of the tables of `row-lists.ts`. */
const KEPT = {
  list: { columns: 'list, hash, count', kept: 'list > 0' },
  gone: { columns: 'hash', kept: '1' },
} as const;

const LISTED = defineQuery('entries of a list', texts('entries'));
const LISTED_CONTENT = defineQuery('content of a list', texts('rows', 'hash'));

/** The entries of a table in slices of a bounded size: hashes are spread evenly. */
export async function readSlices({ warehouse, lists, key }: ListedTable, of: keyof typeof KEPT): Promise<ListSlice[]> {
  const { columns, kept } = KEPT[of];
  const own = `${lists}.${of} WHERE \`table\` = '${key}' AND ${kept}`;
  const [found] = await warehouse.ask(LISTED(`SELECT toString(count()) AS entries FROM ${own}`));
  const entries = Number(found?.entries ?? 0);
  const slices = BigInt(Math.ceil(entries / SLICE_ROWS));
  const edge = (slice: bigint): bigint => (slice << 64n) / slices;
  return Promise.all(
    Array.from({ length: Number(slices) }, async (_, i): Promise<ListSlice> => {
      const within = `hash BETWEEN ${edge(BigInt(i))} AND ${edge(BigInt(i) + 1n) - 1n}`;
      const [slice] = await warehouse.ask(LISTED(`SELECT toString(count()) AS entries FROM ${own} AND ${within}`));
      return {
        rows: Number(slice?.entries ?? 0),
        read: () =>
          warehouse.queryBytes({
            name: 'read a list of rows',
            sql: `SELECT ${columns} FROM ${own} AND ${within} ORDER BY ${columns} FORMAT Native`,
          }),
      };
    }),
  );
}

/** By how much what is listed changes the content of the table. */
export async function listedContent({ warehouse, lists, key }: ListedTable): Promise<Content> {
  const [content] = await warehouse.ask(
    LISTED_CONTENT(
      `SELECT toString(sum(count)) AS rows, toString(sum(toUInt64(count) * hash)) AS hash
     FROM ${lists}.list WHERE \`table\` = '${key}'`,
    ),
  );
  return content ?? NOTHING;
}
