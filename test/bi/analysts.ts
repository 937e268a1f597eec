import { join } from 'node:path';
import { biUser } from '../../src/embedded/engines/bi-users.js';
import { createBiUsers } from '../../src/warehouse/bi/users.js';
import { createWarehouse, type Warehouse } from '../../src/warehouse/client.js';
import { createDatabase, migrate } from '../../src/warehouse/migrations/migrations.js';
import { applyViews } from '../../src/warehouse/migrations/views.js';
import { freePort } from '../../src/embedded/engines/free-port.js';
import { BI_PASSWORD, keptUser, startBiProxy, type BiProxy } from '../support/bi-proxy.js';
import { startEngines, type Engines } from '../support/engines.js';

/** A word that stands in every text of shop b and must never reach the analyst of shop a. */
export const SECRET = 'shop-b-only';
export const PASSWORD = BI_PASSWORD;
const USERS = ['bi_a', 'bi_b'].map(keptUser);
const ROOT = join(import.meta.dirname, '../..');

export interface Analysts {
  engines: Engines;
  /** Where BI tools reach the engine. */
  proxy: BiProxy;
  /** The native protocol, as servers offer it. */
  nativePort: number;
  /** As the service itself. */
  warehouse: Warehouse;
  /** Statement of the analyst of shop a (or as another user) over HTTP; resolves to status and text. */
  ask(sql: string, options?: AskOptions): Promise<{ status: number; text: string }>;
  stop(): Promise<void>;
}

export interface AskOptions {
  user?: string;
  password?: string;
  params?: Record<string, string>;
  body?: string | FormData;
  path?: string;
}

/** Engines with the users `bi_a` and `bi_b`, the schema with its views, and the same few rows in the shops a and b. */
export async function startAnalysts(): Promise<Analysts> {
  const nativePort = await freePort();
  const engines = await startEngines(USERS.map(biUser), { nativePort });
  const proxy = await startBiProxy(engines, USERS);
  const { url, username, password } = engines.clickhouse;
  const address = Object.assign(new URL(url), { username, password }).href;
  const options = { database: 'profit', folder: join(ROOT, 'clickhouse/migrations') };
  const admin = createWarehouse({ url: address, database: 'system' });
  await createDatabase(admin, options);
  await admin.close();
  const warehouse = createWarehouse({ url: address, database: 'profit' });
  await migrate(warehouse, options);
  await applyViews(warehouse, { ...options, folder: join(ROOT, 'clickhouse/views/bi') });
  for (const shop of ['a', 'b']) {
    await createBiUsers(warehouse, 'profit').bind(`bi_${shop}`, shop);
    await fill(warehouse, shop);
  }

  return {
    engines,
    proxy,
    nativePort,
    warehouse,
    async ask(sql, { user = 'bi_a', password: word = PASSWORD, params = {}, body = sql, path = '/' } = {}) {
      const query = new URLSearchParams(params).toString();
      const response = await fetch(`${proxy.url}${path}${query === '' ? '' : `?${query}`}`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${user}:${word}`).toString('base64')}` },
        body,
      });
      return { status: response.status, text: await response.text() };
    },
    async stop() {
      await proxy.stop();
      await warehouse.close();
      await engines.stop();
    },
  };
}

async function fill(warehouse: Warehouse, shop: string): Promise<void> {
  const word = shop === 'b' ? SECRET : 'of a';
  const amount = shop === 'b' ? '987654.321' : '12345678901234.123456';
  await warehouse.insert('sources', [
    { shop_id: shop, platform: word, currency: 'EUR', timezone: 'UTC', shop_domain: word, version: 1 },
  ]);
  await warehouse.insert('orders', [
    {
      ...{
        shop_id: shop,
        order_id: `${word} 1`,
        version: '1',
        placed_at: '2026-03-01 12:00:00',
        placed_day: '2026-03-01',
      },
      ...{ currency: 'EUR', status: 'paid', total: amount, customer_id: word },
      ...{ 'line_items.line_id': ['1'], 'line_items.quantity': ['1'], 'line_items.unit_price': [amount] },
      ...{ 'line_items.sku': [word], 'line_items.line_discount': ['0'], 'line_items.unit_cost': [null] },
      ...{ 'line_items.product_id': [word], 'line_items.title': [word] },
    },
  ]);
  await warehouse.insert('daily_orders', [
    {
      shop_id: shop,
      day: '2026-03-01',
      computed_at: 1,
      orders: 3,
      revenue: amount,
      refunds: '0',
      cogs: '0.000000000001',
    },
  ]);
  await warehouse.insert('product_costs', [
    { shop_id: shop, sku: word, effective_from: '1970-01-01', unit_cost: '1', currency: 'EUR', version: 1 },
  ]);
  await warehouse.insert('ingest_log', [
    { shop_id: shop, kind: 'orders', received_at: Date.now(), batch_id: word, accepted: 1, rejected: 0, superseded: 0 },
  ]);
}
