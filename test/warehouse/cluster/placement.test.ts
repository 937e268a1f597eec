import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { distributed } from '../../../src/warehouse/cluster/distribute.js';
import { KEYED, PLACEMENT } from '../../../src/warehouse/cluster/placement.js';
import { SCHEMA } from '../../support/database.js';

function tablesOfSchema(): string[] {
  const texts = readdirSync(SCHEMA).map((file) => readFileSync(join(SCHEMA, file), 'utf8'));
  return texts.flatMap((text) => [...text.matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g)].map(([, name = '']) => name));
}

describe('the placement of tables among shards', () => {
  it('is defined for every table of the schema, and for no other', () => {
    expect(Object.keys(PLACEMENT).sort()).to.deep.equal(tablesOfSchema().sort());
  });

  it('is by key where the service writes, so that all versions of a key meet', () => {
    const shards = { database: 'profit', cluster: 'c', shards: 3 };
    expect(distributed('orders', shards).replace(/\s+/g, ' ')).to.equal(
      'CREATE OR REPLACE TABLE profit.orders AS profit_local.orders ' +
        "ENGINE = Distributed('c', 'profit_local', 'orders', jumpConsistentHash(cityHash64(shop_id, order_id), 3))",
    );
  });

  it('is every server for the catalog, and no key at all for what views write', () => {
    const shards = { database: 'profit', cluster: 'c', shards: 2 };
    expect(distributed('product_costs', shards)).to.contain(
      "Distributed('c_everywhere', 'profit_local', 'product_costs')",
    );
    expect(distributed('daily_orders', shards)).to.contain("Distributed('c', 'profit_local', 'daily_orders')");
    expect(() => distributed('unheard_of', shards)).to.throw(RangeError, 'unheard_of');
  });

  it('is looked after for every table with a key but that of causes, which views write too', () => {
    const keyed = Object.keys(PLACEMENT).filter((table) => PLACEMENT[table]?.startsWith('cityHash64('));
    expect(KEYED.map(({ table }) => table)).to.deep.equal(keyed.filter((table) => table !== 'day_causes'));
  });
});
