import { expect } from 'chai';
import { storedTables } from '../../src/warehouse/backup/tables.js';
import { createWarehouse } from '../../src/warehouse/client.js';

/** Columns of the moment at which a server computed a row, by its own clock. */
const MOMENTS = ['since', 'held_until', 'computed_at', 'stored_at', 'orders_at', 'counted_at'];

/** The columns of a nested table as one list, which has no order of its own. */
function valuesOf(columns: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const column of columns) {
    const nested = column.split('.')[0] ?? '';
    groups.set(nested, [...(groups.get(nested) ?? []), column]);
  }
  return [...groups.values()].map((group) => {
    const names = group.map((column) => `\`${column}\``).join(', ');
    return group.every((column) => column.includes('.')) ? `arraySort(arrayZip(${names}))` : names;
  });
}

/** What each local table of a server comes to; unless `isExact` without the moments of its clock. */
async function contentOfServer(url: string, isExact: boolean): Promise<Map<string, string>> {
  const warehouse = createWarehouse({ url, database: 'profit_local' });
  try {
    const found = new Map<string, string>();
    for (const { name, columns, isReplacing } of await storedTables(warehouse, 'profit_local')) {
      const kept = columns.filter((column) => isExact || !MOMENTS.includes(column));
      const [content] = await warehouse.query<{ rows: string; hash: string }>(
        `SELECT count() AS rows, sum(sipHash64(tuple(${valuesOf(kept).join(', ')}))) AS hash
         FROM profit_local.${name}${isReplacing ? ' FINAL' : ''}`,
      );
      found.set(name, `${content?.rows} rows, ${content?.hash}`);
    }
    return found;
  } finally {
    await warehouse.close();
  }
}

/** Past states of a day depend on the moments at which each server computed it. */
const OF_MOMENTS = /_history$|^day_causes$|^costed_days$/;

/**
 * The servers of each shard, which follow each other in pairs, have the same rows. Only one that was just filled from the other
 * has its moments as well (`isExact`).
 */
export async function expectAlike(urls: readonly string[], { isExact = false } = {}): Promise<void> {
  const contents = await Promise.all(urls.map((url) => contentOfServer(url, isExact)));
  const comparable = contents.map((content) => [...content].filter(([name]) => isExact || !OF_MOMENTS.test(name)));
  for (let i = 0; i < urls.length; i += 2) expect(comparable[i + 1], `server ${i + 1}`).to.deep.equal(comparable[i]);
  const [first, , third] = contents;
  if (third !== undefined) expect(first?.get('orders')).not.to.equal(third.get('orders'));
}
