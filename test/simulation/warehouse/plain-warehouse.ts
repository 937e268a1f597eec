import type { Warehouse } from '../../../src/warehouse/client.js';
import { partsOf } from './inserts.js';
import { productRequests, PRODUCTS_OF_DAYS } from './products.js';
import { answerOf, tombstonesOf } from './queries.js';
import { readInsert, readJsonRows, type Row } from './row-reader.js';
import type { Tables } from './tables.js';

/** The tables as a warehouse where nothing goes wrong and nothing takes time. */
export function createPlainWarehouse(tables: Tables): Warehouse {
  const insert = (table: string, rows: readonly Row[]): Promise<void> => {
    for (const steps of partsOf(tables, table, rows)) for (const step of steps) step();
    return Promise.resolve();
  };
  return {
    ask: (query) => Promise.resolve(answerOf(tables, query)),
    query: () => Promise.reject(new Error('no query without a name is simulated')),
    insert: (table, rows) => insert(table, readJsonRows(rows as Row[])),
    insertBytes({ sql }, bytes) {
      const { table, rows } = readInsert(sql, bytes);
      return insert(table, rows);
    },
    queryBytes: () => Promise.reject(new Error('no reading of bytes is simulated')),
    stream() {
      throw new Error('no reading of bytes is simulated');
    },
    run: ({ name, sql }) =>
      name === PRODUCTS_OF_DAYS ? insert(name, productRequests(sql)) : insert('order_days', tombstonesOf(tables, sql)),
    command: () => Promise.reject(new Error('no statement without a name is simulated')),
    ping: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  };
}
