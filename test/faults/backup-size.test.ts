import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runBackup } from '../../src/cli/backup/backup.js';
import { filesOf, type Manifest } from '../../src/cli/backup/manifest.js';
import { CHUNK_BYTES } from '../../src/warehouse/backup/snapshot.js';
import { startDeployment, type Deployment } from '../support/backup-deployment.js';
import type { Shop } from '../support/service.js';

const ORDERS = 20_000;
const BATCH = 250;
const MEGABYTE = 1_000_000;

const bytesOf = (manifest: Manifest): number =>
  filesOf(manifest).reduce((sum, { bytes }) => sum + bytes, JSON.stringify(manifest, null, 2).length);

/** An order of the kind that stores send, one of many over 300 days. */
const usualOrder = (n: number) => {
  const placed = new Date(Date.UTC(2025, 0, 1) + Math.floor(n / 67) * 86_400_000 + (n % 67) * 1_000_000).toISOString();
  const cents = 1_000 + ((n * 7919) % 9_000);
  return {
    order_id: `${5_000_000_000 + n * 37}`,
    order_name: `#${n}`,
    placed_at: placed,
    updated_at: placed,
    currency: 'EUR',
    status: 'paid',
    customer: { id: `${7_000_000_000 + ((n * 104_729) % 9_973)}` },
    country: ['DE', 'AT', 'FR'][n % 3],
    shipping: '4.9',
    total: ((2 * cents + 490) / 100).toFixed(2),
    line_items: [
      {
        line_id: `${n * 53}`,
        sku: `SKU-${(n * 31) % 400}`,
        quantity: '2',
        unit_price: (cents / 100).toFixed(2),
        unit_cost: '3.1',
      },
    ],
  };
};

async function pushUsual(shop: Shop, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += BATCH) {
    const orders = Array.from({ length: Math.min(BATCH, to - at) }, (_, i) => usualOrder(at + i));
    const { status, body } = await shop.call('POST', '/v1/orders', { orders });
    expect(body, JSON.stringify(body).slice(0, 500)).to.include({ accepted: orders.length });
    expect(status).to.equal(200);
  }
}

describe('backups in increments, by their size', function () {
  this.timeout(600_000);
  let folder: string;
  let deployment: Deployment;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'profit-size-'));
    deployment = await startDeployment();
  });
  after(async () => {
    await deployment.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('of a hundredth of new orders take at most a twentieth of the bytes of a whole one', async () => {
    const { service, options } = deployment;
    const workers = service.startWorkers();
    const shop = await service.shop();
    await pushUsual(shop, 0, ORDERS);
    await service.settled();
    const whole = await runBackup(service.stores, { ...options, folder: join(folder, 'many') });
    await pushUsual(shop, ORDERS, ORDERS + ORDERS / 100);
    await service.settled();
    const next = await runBackup(service.stores, {
      ...options,
      folder: join(folder, 'more'),
      since: join(folder, 'many'),
    });
    await workers.stop();
    expect(bytesOf(next) / bytesOf(whole)).to.be.at.most(0.05);
    expect(next.base).to.include({ id: whole.id, folder: 'many' });
  });

  it('read large rows some at a time', async () => {
    const { service, options } = deployment;
    const since = join(folder, 'none');
    await runBackup(service.stores, { ...options, folder: since });
    await service.stores.warehouse.command(
      `INSERT INTO events (shop_id, event_id, precedence, ts, received_at, url)
       SELECT 'large', toString(number), 1, now64(3), now64(3), repeat('x', ${MEGABYTE}) FROM numbers(100)`,
    );
    const { tables } = await runBackup(service.stores, { ...options, folder: join(folder, 'large'), since });
    const rows = tables.flatMap(({ name, chunks }) => (name === 'events' ? chunks.map((chunk) => chunk.rows) : []));
    expect(rows.reduce((sum, count) => sum + count, 0)).to.equal(100);
    // A step of rows goes into a chunk as a whole, and each has room for the other.
    expect(Math.max(...rows) * MEGABYTE).to.be.at.most(2 * CHUNK_BYTES);
  });
});
