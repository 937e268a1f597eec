import { expect } from 'chai';
import { literal, pairs } from '../../src/warehouse/sql.js';
import { ownDatabase, type OwnDatabase } from '../support/database.js';

describe('a list of pairs', () => {
  let database: OwnDatabase;

  before(async () => (database = await ownDatabase('pairs')));
  after(() => database.drop());

  for (const most of [1, 500, 501]) {
    it(`finds the ids of each shop alone, whatever signs are in them (${most} ids)`, async () => {
      const odd = ["o'1", 'o\\2', '[3', "4',", '(5)', 'ö6'];
      const own = Array.from({ length: most }, (_, i) => odd[i] ?? `o-${i}`);
      const [first, rest] = [own.slice(0, Math.ceil(most / 2)), own.slice(Math.ceil(most / 2))];
      const ids = new Map([
        ["s'1", first],
        ['s2', rest],
      ]);
      const all = [...own, 'other'].map(literal).join(',');
      const found = await database.warehouse.query<{ shop: string; id: string }>(
        `SELECT shop, id FROM (SELECT arrayJoin(['s\\'1', 's2']) AS shop, arrayJoin([${all}]) AS id)
         WHERE (shop, id) IN (${pairs(ids)}) ORDER BY shop, id`,
      );
      const wanted = [...ids].flatMap(([shop, list]) => list.map((id) => ({ shop, id })));
      const inOrder = (rows: { shop: string; id: string }[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
      expect(inOrder(found)).to.deep.equal(inOrder(wanted));
    });
  }

  it('of no ids finds nothing', async () => {
    const sql = `SELECT 1 AS one FROM numbers(1) WHERE ('s', toString(number)) IN (${pairs(new Map())})`;
    expect(await database.warehouse.query(sql)).to.deep.equal([]);
  });
});
