import { biUser } from '../../src/embedded/engines/bi-users.js';
import { readDictionary } from '../../src/warehouse/bi/dictionary.js';
import { analystOf, BI_POOL, startBiProxy, type Analyst } from './bi-proxy.js';
import type { Engines } from './engines.js';
import { environmentOf, startService, type Service } from './service.js';
import type { Push, Records } from './shard-records.js';

const SHOP = 'same-shop';
/** When all days were found right, in the ingest status: each deployment comes round to it at its own pace. */
const AUDITED = /,"audit":\{"complete_at":"[^"]*","wrong_days":\[\]\}/;
/** With which the engines of a deployment are started. */
export const USERS = BI_POOL.map(({ account }) => biUser(account));

/** A service with a shop of {@link shardRecords}, to be compared with another. */
export interface Deployment {
  service: Service;
  analyst: Analyst;
  /** Status and body, without {@link AUDITED}. */
  call: (method: string, path: string, body?: unknown) => Promise<string>;
  push: (push: Push) => Promise<void>;
  stop: () => Promise<void>;
}

export async function deploy(engines: Engines): Promise<Deployment> {
  const service = await startService({ base: await environmentOf(engines) });
  const [secret, pixel] = [await service.key(SHOP), await service.key(SHOP, 'pixel')];
  const proxy = await startBiProxy(engines, BI_POOL);
  return {
    service,
    analyst: await analystOf(SHOP, proxy, service.stores.warehouse, service.stores.shards.each),
    async call(method, path, body) {
      const { status, body: answer } = await service.call(method, path, {
        key: secret,
        ...(body !== undefined && { body }),
      });
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      return `${status} ${text.replace(AUDITED, '')}`;
    },
    async push({ method, path, body, isPixel }) {
      const { status, body: answer } = await service.call(method, path, {
        key: isPixel === true ? pixel : secret,
        body,
      });
      if (status >= 300) throw new Error(`${method} ${path} was answered with ${status}: ${JSON.stringify(answer)}`);
    },
    stop: async () => {
      await Promise.all([proxy.stop(), service.stop()]);
    },
  };
}

export const SOURCE = { platform: 'test', currency: 'GBP', timezone: 'Europe/London', convert_spend: true };

/** What is asked of deployments that hold the records. */
export function reads({ from, to, orderIds }: Records): string[] {
  const range = `from=${from}&to=${to}`;
  const figures = ['net_profit', 'revenue', 'refunds', 'cogs', 'gateway_fees', 'ad_spend'];
  return [
    `/v1/metrics?${range}&include=expenses,coverage`,
    `/v1/metrics/daily?${range}&include=expenses`,
    `/v1/metrics/daily?${range}&by=week`,
    ...['last_touch', 'first_touch', 'linear'].map((model) => `/v1/attribution?${range}&model=${model}`),
    ...figures.map((figure) => `/v1/metrics/explain?figure=${figure}&${range}&limit=250&sort=amount`),
    `/v1/metrics/explain?figure=net_profit&${range}&limit=250&sort=time`,
    ...['revenue', 'units_sold', 'gross_profit'].map((sort) => `/v1/products?${range}&sort=${sort}&limit=250`),
    `/v1/breakdown?by=payment_gateway&${range}`,
    `/v1/products?${range}&missing_cost=1`,
    `/v1/products?${range}&sort=gross_profit&order=asc&loss=1`,
    ...['', '&counted=0', '&missing_cost=1', '&gateway=PAYPAL', '&channel=unattributed', '&status=pending'].map(
      (filter) => `/v1/orders?${range}&limit=100${filter}`,
    ),
    ...['profit', 'profit&order=asc', 'refunds&refunded=1', 'revenue&q=1', 'time&loss=1', 'profit&loss=0'].map(
      (sort) => `/v1/orders?${range}&limit=100&sort=${sort}`,
    ),
    ...orderIds.filter((_, i) => i % 40 === 0).map((id) => `/v1/orders/${id}`),
    '/v1/products/costs?limit=100',
    '/v1/costs/expenses',
    '/v1/costs/gateway-fees',
    '/v1/source',
    '/v1/ingest/status',
    '/v1/ingest/rejections',
    '/v1/ingest/pushes',
    '/v1/connections',
  ];
}

/** As {@link reads}, of what stood at a moment. */
export function readsThen({ from, to }: Records, moment: string): string[] {
  return [`/v1/metrics?from=${from}&to=${to}&include=expenses`, `/v1/metrics/daily?from=${from}&to=${to}`].map(
    (path) => `${path}&as_of=${moment}`,
  );
}

/** A query for the rows of each view of `bi`, by its name; `past` instead of the views of what was once. */
export async function viewQueries({
  past,
  without,
}: {
  past: Readonly<Record<string, string>>;
  without: readonly string[];
}): Promise<Map<string, string>> {
  const views = await readDictionary('clickhouse/views/bi');
  return new Map(
    views.map(({ name, columns }) => {
      const same = columns.map((column) => column.name).filter((column) => !without.includes(column));
      return [name, past[name] ?? `SELECT ${same.join(', ')} FROM bi.${name} ORDER BY ALL`];
    }),
  );
}
