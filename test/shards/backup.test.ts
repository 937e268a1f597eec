import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runBackup } from '../../src/cli/backup/backup.js';
import { runRestore } from '../../src/cli/backup/restore.js';
import { schemaOf } from '../../src/warehouse/backup/tables.js';
import { EVERYWHERE, shardOfRow } from '../../src/warehouse/cluster/placement.js';
import type { RowServers } from '../../src/warehouse/cluster/row-servers.js';
import { quoted } from '../../src/warehouse/sql.js';
import { startDeployment } from '../support/backup-deployment.js';
import type { Shop } from '../support/service.js';
import { order } from '../support/two-units.js';

/** Every row that counts, of every table, and how many are not on their shard. */
async function rowsOf(servers: RowServers): Promise<Map<string, { rows: string[]; misplaced: number }>> {
  const { tables } = await schemaOf(servers);
  const found = new Map<string, { rows: string[]; misplaced: number }>();
  for (const { name, columns, isReplacing } of tables) {
    const isEverywhere = EVERYWHERE.includes(name);
    const lists = await Promise.all(
      (isEverywhere ? servers.holders.slice(0, 1) : servers.holders).map(({ warehouse, shard }) =>
        warehouse.query<{ is_here: number }>(
          `SELECT ${quoted(columns)},
             ${isEverywhere ? '1' : `${shardOfRow(name, servers.shards)} = ${shard - 1}`} AS is_here
           FROM ${servers.rows}.${name} ${isReplacing ? 'FINAL' : ''}
           ${name === 'push_hours' ? `WHERE shop_id != ''` : ''}`,
        ),
      ),
    );
    const all = lists.flat();
    const misplaced = all.filter(({ is_here }) => is_here !== 1).length;
    found.set(name, { rows: all.map(({ is_here: _, ...row }) => JSON.stringify(row)).sort(), misplaced });
  }
  return found;
}

describe('a backup of two shards, in an increment', () => {
  let folder: string;
  let expected: Awaited<ReturnType<typeof rowsOf>>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'profit-backup-'));
    const source = await startDeployment(2);
    try {
      const { service, servers, options } = source;
      const workers = service.startWorkers();
      const shops: Shop[] = [];
      for (let i = 0; i < 6; i++) {
        const shop = await service.shop();
        shops.push(shop);
        const orders = [0, 1, 2].map((n) => order(`${shop.id}-${n}`));
        const costs = [{ sku: 'A', unit_cost: '12.5', effective_from: '2026-01-01' }];
        expect((await shop.call('POST', '/v1/orders', { orders })).body).to.include({ accepted: 3 });
        expect((await shop.call('PUT', '/v1/products/costs', { costs })).status).to.equal(200);
      }
      await service.settled();
      await runBackup(service.stores, { ...options, folder: join(folder, 'before') });
      for (const [i, shop] of shops.entries()) {
        const changed = order(`${shop.id}-0`, { updated_at: '2026-03-05T12:00:00Z', order_name: 'changed' });
        const orders = i % 2 === 0 ? [changed] : [order(`${shop.id}-1`, { deleted: true })];
        expect((await shop.call('POST', '/v1/orders', { orders })).body).to.include({ accepted: 1 });
      }
      await service.settled();
      await workers.stop();
      for (const { warehouse } of servers.holders)
        for (const table of ['orders', 'order_days', 'daily_orders'])
          await warehouse.command(`OPTIMIZE TABLE ${servers.rows}.${table} FINAL`);
      const increment = { folder: join(folder, 'of-two'), since: join(folder, 'before') };
      await runBackup(service.stores, { ...options, ...increment });
      expected = await rowsOf(servers);
    } finally {
      await source.stop();
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('is made of rows of six shops on both shards', () => {
    expect(expected.get('orders')?.rows).to.have.length(15);
    expect(expected.get('product_costs')?.rows).to.have.length(6);
    expect(expected.get('api_keys')?.rows).to.have.length(6);
    expect(expected.get('daily_orders')?.rows).to.have.length.at.least(6);
    for (const [name, { misplaced }] of expected) expect(misplaced, name).to.equal(0);
  });

  for (const shards of [1, 2, 3])
    it(`brings the same rows into ${shards}, each on its own shard`, async () => {
      const target = await startDeployment(shards);
      try {
        const { service, servers, options } = target;
        const { producer } = service.deps;
        await runRestore(service.stores, { ...options, producer, folder: join(folder, 'of-two') });
        const restored = await rowsOf(servers);
        expect([...restored.keys()]).to.deep.equal([...expected.keys()]);
        for (const [name, { rows, misplaced }] of restored) {
          expect(rows, name).to.deep.equal(expected.get(name)?.rows);
          expect(misplaced, name).to.equal(0);
        }
      } finally {
        await target.stop();
      }
    });
});
