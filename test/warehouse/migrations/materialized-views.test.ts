import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Warehouse } from '../../../src/warehouse/client.js';
import { applyMaterializedViews } from '../../../src/warehouse/migrations/materialized-views.js';
import { ownDatabase, VIEWS } from '../../support/database.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const CHANGES = 8;

describe('materialized views', () => {
  let warehouse: Warehouse;
  let drop: () => Promise<void>;
  let folder: string;
  const apply = (): Promise<string[]> => applyMaterializedViews(warehouse, { folder });
  const path = (view: string): string => join(folder, 'rollups', `${view}.sql`);
  const edit = (view: string, change: (text: string) => string): void =>
    writeFileSync(path(view), change(readFileSync(path(view), 'utf8')));

  before(async () => {
    ({ warehouse, drop } = await ownDatabase('materialized_views_test'));
    folder = temporaryFolder('views');
    cpSync(VIEWS, folder, { recursive: true });
  });
  after(() => drop());

  it('are left as they are while their files stay', async () => {
    expect(await apply()).to.deep.equal([]);
  });

  it('get the query of a changed file in one step: rows that are written meanwhile miss neither', async () => {
    let isChanging = true;
    let written = 0;
    const write = async (): Promise<void> => {
      while (isChanging) {
        const row = { shop_id: 'shop', order_id: String(written++), day: '2026-03-01', version: '1' };
        await warehouse.insert('order_days', [row]);
      }
    };
    const change = async (): Promise<void> => {
      for (let i = 1; i <= CHANGES; i++) {
        edit('order_keys_feed', (text) => text.replace(/(?: WHERE \d+ > 0)?;/, ` WHERE ${i} > 0;`));
        expect(await apply()).to.deep.equal(['order_keys_feed']);
      }
      isChanging = false;
    };
    await Promise.all([write(), write(), change()]);
    const [counts] = await warehouse.query<{ keys: string; days: string }>(
      `SELECT toString((SELECT count() FROM order_keys FINAL)) AS keys, toString(count()) AS days FROM order_days FINAL`,
    );
    expect(counts).to.deep.equal({ keys: String(written), days: String(written) });
  });

  it('are made again for another target, dropped without a file, and refused under another name', async () => {
    edit(
      'order_keys_feed',
      () =>
        'CREATE MATERIALIZED VIEW order_keys_feed TO order_checkouts AS SELECT shop_id, order_id, version FROM order_days;',
    );
    rmSync(path('orders_left'));
    expect(await apply()).to.deep.equal(['order_keys_feed']);
    const views = await warehouse.query<{ name: string; sql: string }>(
      `SELECT name, create_table_query AS sql FROM system.tables WHERE database = currentDatabase() AND engine = 'MaterializedView'`,
    );
    expect(views.map(({ name }) => name)).to.not.include('orders_left');
    expect(views.find(({ name }) => name === 'order_keys_feed')?.sql).to.contain('order_checkouts');

    writeFileSync(path('another'), readFileSync(path('order_keys_feed'), 'utf8'));
    const refused: unknown = await apply().catch((error: unknown) => error);
    expect(refused).to.have.property('message').that.contains('another.sql must be: CREATE MATERIALIZED VIEW another');
  });
});
