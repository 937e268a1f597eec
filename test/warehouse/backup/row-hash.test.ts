import { expect } from 'chai';
import { rowHash } from '../../../src/warehouse/backup/tables.js';
import type { Warehouse } from '../../../src/warehouse/client.js';
import { ownDatabase } from '../../support/database.js';

const columns = ['amount', 'names', 'costs'];
const structure = 'amount Nullable(Decimal(38, 6)), names Array(String), costs Array(Nullable(UInt8))';
/** Each differs from another one in little. */
const ROWS = [
  "(NULL, ['a'], [1])",
  "(0, ['a'], [1])",
  "(0, ['a', ''], [1])",
  "(0, ['', 'a'], [1])",
  '(0, [], [1])',
  "(0, [''], [1])",
  '(0, [], [])',
  '(0, [], [0])',
  '(0, [], [NULL])',
  '(-0.000001, [], [NULL])',
];

describe('the hash of a row', () => {
  let warehouse: Warehouse;
  let drop: () => Promise<void>;

  before(async () => {
    ({ warehouse, drop } = await ownDatabase('row_hash_test'));
  });
  after(() => drop());

  it('differs where a value is not known, where a list ends, and in what stands where', async () => {
    await warehouse.command(`CREATE TABLE hashed (${structure}) ENGINE = MergeTree ORDER BY ()`);
    await warehouse.command(`INSERT INTO hashed VALUES ${ROWS.join(', ')}`);
    const hash = rowHash({ name: 'hashed', columns, structure, isReplacing: false, hasTtl: false });
    const rows = await warehouse.query<{ hash: string }>(`SELECT DISTINCT toString(${hash}) AS hash FROM hashed`);
    expect(rows).to.have.length(ROWS.length);
  });
});
