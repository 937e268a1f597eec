import { runMigrate } from '../../src/cli/commands/migrate.js';
import { loadConfig } from '../../src/config.js';
import { biUser } from '../../src/embedded/engines/bi-users.js';
import { freePort } from '../../src/embedded/engines/free-port.js';
import { createBiUsers } from '../../src/warehouse/bi/users.js';
import { createWarehouse, type Warehouse } from '../../src/warehouse/client.js';
import { dateTimeText } from '../../src/warehouse/columns/date-time.js';
import { BI_PASSWORD, directly, keptUser, startBiProxy, type BiAddress, type BiProxy } from '../support/bi-proxy.js';
import { startEngines, startShardedEngines, type Engines } from '../support/engines.js';

/** A word that stands in every text of shop b and must never reach the analyst of shop a. */
export const SECRET = 'shop-b-only';
export const PASSWORD = BI_PASSWORD;
const USERS = ['bi_a', 'bi_b'].map(keptUser);

export interface Analysts {
  engines: Engines;
  /** Where BI tools reach the engine, or the first of the shards. */
  proxy: BiProxy;
  /** The native protocol, as servers offer it. */
  nativePort: number;
  /** As the service itself. */
  warehouse: Warehouse;
  /** The same, of each server by itself. */
  servers: readonly Warehouse[];
  /** Statement of the analyst of shop a (or as another user) over HTTP; resolves to status and text. */
  ask(sql: string, options?: AskOptions): Promise<{ status: number; text: string; headers: Headers }>;
  stop(): Promise<void>;
}

export interface AskOptions {
  user?: string;
  password?: string;
  params?: Record<string, string>;
  body?: string | FormData | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  /** Index of the server that is asked; the first when absent. */
  server?: number;
  /** Past the proxy, as BI tools ask a server. */
  isDirect?: boolean;
}

/** Engines with the users `bi_a` and `bi_b`, the schema with its views, and the same few rows in the shops a and b. */
export async function startAnalysts(): Promise<Analysts> {
  const nativePort = await freePort();
  return analystsOf(
    await startEngines(
      USERS.map(({ account }) => biUser(account)),
      { nativePort },
    ),
    nativePort,
  );
}

/** The same on two shards. */
export async function startShardedAnalysts(): Promise<Analysts> {
  const users = USERS.map(({ account }) => biUser(account));
  const engines = await startShardedEngines(2, users);
  return analystsOf(engines, engines.shards.nativePorts[0] ?? 0);
}

async function analystsOf(engines: Engines, nativePort: number): Promise<Analysts> {
  const isSharded = engines.shards !== undefined;
  const engineOf = engines.shards?.shards ?? [engines.clickhouse];
  const [first, ...others] = engineOf.map((engine) => ({
    proxy: () => startBiProxy({ ...engines, clickhouse: engine }, USERS),
    url: Object.assign(new URL(engine.url), { username: engine.username, password: engine.password }).href,
  }));
  if (first === undefined) throw new RangeError('there is no server');
  await runMigrate(loadConfig({ CLICKHOUSE_URL: first.url, ...engines.shards?.env, DATA_DIR: engines.dataDir }));
  const proxy = await first.proxy();
  const proxies = [proxy, ...(await Promise.all(others.map((other) => other.proxy())))];
  const servers = [first, ...others].map(({ url }) =>
    createWarehouse({ url, database: isSharded ? 'profit_local' : 'profit' }),
  );
  const warehouse = createWarehouse({ url: first.url, database: 'profit', isSharded });
  for (const shop of ['a', 'b']) {
    for (const server of servers)
      await createBiUsers(server, isSharded ? 'profit_local' : 'profit').bind(`bi_${shop}`, shop);
    await fill(warehouse, shop);
    await fillDay(warehouse, shop);
  }

  return {
    engines,
    proxy,
    nativePort,
    warehouse,
    servers,
    async ask(sql, { user = 'bi_a', password: word = PASSWORD, params = {}, body = sql, server = 0, ...options } = {}) {
      const query = new URLSearchParams(params).toString();
      const engine = options.isDirect === true ? engineOf[server] : undefined;
      const at: BiAddress | undefined = engine === undefined ? proxies[server] : directly(engine);
      const response = await fetch(`${at?.url}/${query === '' ? '' : `?${query}`}`, {
        method: 'POST',
        headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': word, ...options.headers, ...at?.headers },
        body,
      });
      return { status: response.status, text: await response.text(), headers: response.headers };
    },
    async stop() {
      await Promise.all(proxies.map((proxy) => proxy.stop()));
      await Promise.all([warehouse, ...servers].map((one) => one.close()));
      await engines.stop();
    },
  };
}

const amountOf = (shop: string): string => (shop === 'b' ? '987654.321' : '12345678901234.123456');

async function fillDay(warehouse: Warehouse, shop: string): Promise<void> {
  await warehouse.insert('daily_orders', [
    {
      shop_id: shop,
      day: '2026-03-01',
      computed_at: 1,
      sums: { orders: 3, revenue: amountOf(shop), cogs: '0.000000000001' },
    },
  ]);
}

async function fill(warehouse: Warehouse, shop: string): Promise<void> {
  const word = shop === 'b' ? SECRET : 'of a';
  const amount = amountOf(shop);
  await warehouse.insert('sources', [
    { shop_id: shop, platform: word, currency: 'EUR', timezone: 'UTC', shop_domain: word, version: 1 },
  ]);
  await warehouse.insert('orders', [
    {
      shop_id: shop,
      order_id: `${word} 1`,
      version: '1',
      placed_at: '2026-03-01 12:00:00',
      placed_day: '2026-03-01',
      currency: 'EUR',
      status: 'paid',
      total: amount,
      customer_id: word,
      'line_items.line_id': ['1'],
      'line_items.quantity': ['1'],
      'line_items.unit_price': [amount],
      'line_items.sku': [word],
      'line_items.line_discount': ['0'],
      'line_items.unit_cost': [null],
      'line_items.product_id': [word],
      'line_items.title': [word],
    },
  ]);
  await warehouse.insert('product_costs', [
    { shop_id: shop, sku: word, effective_from: '1970-01-01', unit_cost: '1', currency: 'EUR', version: 1 },
  ]);
  await warehouse.insert('ingest_log', [
    {
      shop_id: shop,
      kind: 'orders',
      received_at: dateTimeText(Date.now()),
      batch_id: word,
      accepted: 1,
      rejected: 0,
      superseded: 0,
    },
  ]);
}
