import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { keptPort } from '../support/remembered-port.js';
import { OPERATIONS } from '../../src/http/openapi/operations.js';
import { CollectEvent } from '../../src/schemas/collect.js';
import { ExpenseInput } from '../../src/schemas/expenses.js';
import { Order } from '../../src/schemas/orders.js';
import { ProductCostInput } from '../../src/schemas/product-costs.js';
import { SpendRow } from '../../src/schemas/spend.js';
import { analystsOf } from '../support/bi-proxy.js';
import { keepAlive } from '../support/keep-alive.js';
import { planted, type PlantedSchema } from '../support/planted.js';
import { serviceEnvironment, startService, type Service } from '../support/service.js';
import { sharedBiProxy, sharedEngines } from '../support/shared-engines.js';

const EMAIL = 'zoe.quill@private.example';
const base64 = Buffer.from(EMAIL).toString('base64');
const SECRETS = [
  EMAIL,
  encodeURIComponent(encodeURIComponent(EMAIL)),
  base64,
  Buffer.from(EMAIL).toString('hex'),
  '+49 151 70918264',
  '0151 70918264',
  '(555) 867-5309',
  '4000 0566 5566 5556',
  '4000056655665556',
];
/** Digits with some of those before them; as a part of a longer number they are chance, and the engine's logs are full of numbers. */
const digits = (before: string, pattern: string): string => `(?<![0-9a-f])(?:20)?${before}${pattern}(?![0-9a-f])`;
/** Any of them, as it was sent, as a slug, and however a part of it may be cut. */
const TRACES = new RegExp(
  [
    'zoe(?:[._-]|%2e)?quill',
    'private[._-]example',
    base64.slice(4, 16),
    Buffer.from('zoe.quill').toString('hex'),
    digits('[0149]{0,3}5?1?', '[ _-]?70918264'),
    digits('5{0,3}', '[ _-]?867[ _-]?5309'),
    digits('', '4000[ _-]?0566(?:[ _-]?5566)?(?:[ _-]?5556)?'),
  ].join('|'),
  'i',
);

/** The first of them in a text, with the text around it. */
function traceIn(text: string): string | undefined {
  const found = TRACES.exec(text);
  return found === null ? undefined : text.slice(Math.max(0, found.index - 80), found.index + 80);
}

const order = {
  order_id: 'o',
  placed_at: '2026-03-01T12:00:00Z',
  currency: 'EUR',
  status: 'paid',
  total: '1',
  line_items: [{ line_id: 'l', quantity: '1', unit_price: '1' }],
  refunds: [{ refund_id: 'r', refunded_at: '2026-03-02T12:00:00Z', total: '1', line_items: [{ line_id: 'l', quantity: '1' }] }],
  customer: { id: 'c' },
}; // prettier-ignore
const spend = { channel: 'Radio', event_date: '2026-03-01', currency: 'EUR', spend: '1' };
const cost = { sku: 'A', unit_cost: '1' };
const expense = {
  external_id: 'rent',
  name: 'Rent',
  category: 'other',
  amount: '1',
  currency: 'EUR',
  frequency: 'monthly',
  started_on: '2026-03-01',
};
/** Makes an item one that is refused: what is accepted is kept as it is. */
const refused = (item: unknown): unknown => (typeof item === 'object' && item !== null ? { ...item, refuse: 1 } : item);
const plantedIn = (schema: unknown, base: unknown): unknown[] =>
  SECRETS.flatMap((secret) => planted(schema as PlantedSchema, base, secret).map(refused));
const batches = (items: readonly unknown[], size: number): unknown[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

describe('what is kept of refused items', function () {
  this.timeout(600_000);
  let observer: Service;
  before(async () => {
    observer = await startService({ workers: false });
  });
  after(() => observer.stop());

  it('holds no e-mail address, phone or card number: not in ClickHouse, Redis, files or logs, nor in any answer', async () => {
    const shop = await observer.shop();
    const port = await keptPort();
    const env = { ...(await serviceEnvironment()), PORT: String(port), LOG_LEVEL: 'trace' };
    const api = keepAlive('dist/src/main.js', env);
    const worker = keepAlive('dist/workers/main.js', env);
    await Promise.all([api.started(), worker.started()]);
    const token = await observer.key(shop.id, 'pixel');
    const send = async (method: string, path: string, body: unknown, key = shop.key): Promise<number> => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: JSON.stringify(body) });
      await answer.text();
      return answer.status;
    };

    const marked = { ...order, order_id: 'control-order', total: '7' };
    const orders = [marked, ...plantedIn(Order, order)];
    for (const batch of batches(orders, 250)) expect(await send('POST', '/v1/orders', { orders: batch })).to.equal(200);
    for (const rows of batches(plantedIn(SpendRow, spend), 100)) await send('POST', '/v1/costs/spend', { rows });
    for (const costs of batches(plantedIn(ProductCostInput, cost), 500))
      await send('PUT', '/v1/products/costs', { costs });
    for (const body of plantedIn(ExpenseInput, expense))
      expect(await send('POST', '/v1/costs/expenses', body)).to.equal(400);
    const events = SECRETS.flatMap((secret) => planted(CollectEvent as PlantedSchema, event(), secret));
    for (const batch of batches([...events, ...events.map(refused)], 20)) {
      await send('POST', '/v1/collect?debug=1', { token, events: batch.map(renamed) });
    }
    for (const secret of SECRETS) {
      const id = encodeURIComponent(secret);
      await send('PATCH', `/v1/costs/expenses/${id}`, { name: secret });
      await send('PUT', '/v1/source', {
        platform: secret,
        currency: secret,
        timezone: secret,
        shop_domain: secret,
        [secret]: 1,
      });
      await send('PUT', '/v1/costs/gateway-fees', {
        rules: [{ payment_gateway: secret, percent: secret, [secret]: 1 }],
      });
      await send('POST', `/v1/orders?${id}=${id}`, { orders: [], [secret]: secret });
      await send('POST', '/v1/orders', secret);
      await send('POST', '/v1/reconcile', { orders: [{ order_id: secret, total: '1' }] });
      await send('POST', `/v1/${id}`, {}, secret);
    }
    await observer.settled();

    const dump = await everythingStored(observer);
    expect(dump).to.include('control-order');
    expect(traceIn(dump), 'ClickHouse').to.equal(undefined);
    const readers = [shop.key, await observer.key(shop.id, 'publishable')];
    const reads = OPERATIONS.filter(({ method, path }) => method === 'get' && !path.includes('{'));
    for (const { path, parameters = [] } of reads) {
      const query = parameters.some(({ name }) => name === 'figure') ? '?figure=revenue' : '';
      for (const key of readers) {
        const { body } = await observer.call('GET', path + query, { key });
        expect(traceIn(JSON.stringify(body)), path).to.equal(undefined);
      }
    }
    const analyst = analystsOf(observer.stores, sharedBiProxy);
    const views = await analyst(shop, "SELECT name FROM system.tables WHERE database = 'bi'");
    expect(views.length).to.be.greaterThan(5);
    for (const { name } of views) {
      const rows = await analyst(shop, `SELECT * FROM bi.${String(name)}`);
      expect(traceIn(JSON.stringify(rows)), `bi.${String(name)}`).to.equal(undefined);
    }
    await Promise.all([api.stop(), worker.stop()]);
    expect(traceIn(api.output() + worker.output()), 'the logs').to.equal(undefined);
    await rewrittenLog(observer);
    const { dataDir } = await sharedEngines();
    for (const file of await filesBelow(dataDir)) {
      const text = await readFile(file, 'latin1').catch(() => '');
      expect(traceIn(text), file).to.equal(undefined);
    }
  });
});

const event = (): object => ({
  type: 'page_view',
  ts: new Date().toISOString(),
  anon_id: 'visitor',
  consent: 'analytics+marketing',
});
const renamed = (item: unknown): unknown =>
  typeof item === 'object' && item !== null ? { event_id: randomUUID(), ...item } : item;

/** Every table that has rows of its own, with the logs of the engine. */
async function everythingStored({ stores: { warehouse } }: Service): Promise<string> {
  const tables = await warehouse.query<{ holder: string }>(
    `SELECT database || '.' || name AS holder FROM system.tables
     WHERE engine LIKE '%MergeTree' OR name IN ('errors', 'asynchronous_inserts', 'mutations', 'crash_log')`,
  );
  const texts: string[] = [];
  for (const { holder } of tables) {
    const [database, name] = holder.split('.');
    texts.push(JSON.stringify(await warehouse.query(`SELECT * FROM \`${database}\`.\`${name}\``)));
  }
  return texts.join('\n');
}

/** The append-only file then has what Redis holds, and nothing of the jobs that are done. */
async function rewrittenLog({ stores: { redis } }: Service): Promise<void> {
  await redis.bgrewriteaof();
  for (;;) {
    const info = await redis.info('persistence');
    if (info.includes('aof_rewrite_in_progress:0') && info.includes('aof_rewrite_scheduled:0')) return;
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
