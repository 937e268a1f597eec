import type { WriteFence } from '../redis/write-fence.js';
import type { Warehouse } from '../warehouse/client.js';
import type { RowServers } from '../warehouse/cluster/row-servers.js';
import { WAREHOUSE_ID } from '../warehouse/migrations/migrations.js';
import { defineQuery, texts } from '../warehouse/query.js';

/** The warehouse, whose writes wait while writes are held and fail when a hold has begun meanwhile. */
export function createFencedWarehouse(warehouse: Warehouse, fence: WriteFence): Warehouse {
  const fenced = async (write: () => Promise<void>): Promise<void> => {
    const token = await fence.enter();
    await write();
    await fence.confirm(token);
  };
  return {
    ...warehouse,
    run: (statement, options) => fenced(() => warehouse.run(statement, options)),
    command: (sql, params, options) => fenced(() => warehouse.command(sql, params, options)),
    insert: (table, rows, options) => fenced(() => warehouse.insert(table, rows, options)),
    insertBytes: (statement, bytes, options) => fenced(() => warehouse.insertBytes(statement, bytes, options)),
  };
}

const OWN_ID = defineQuery('id of the warehouse', texts('id'));

/** The id of the warehouse of a connection to the tables of its first server; throws if that does not answer. */
export function createOwnId(warehouse: Warehouse): () => Promise<string> {
  let known: string | undefined;
  return async () => {
    if (known !== undefined) return known;
    return (known = await readId(warehouse, 'schema_migrations'));
  };
}

/** The id of the warehouse of these servers. */
export function idOfServers({ rows, holders: [first] }: RowServers): Promise<string> {
  if (first === undefined) throw new RangeError('there is no server');
  return readId(first.warehouse, `${rows}.schema_migrations`);
}

async function readId(warehouse: Warehouse, log: string): Promise<string> {
  const [row] = await warehouse.ask(OWN_ID(`SELECT checksum AS id FROM ${log} FINAL WHERE name = '${WAREHOUSE_ID}'`));
  return row?.id ?? '';
}
