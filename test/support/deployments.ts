import { expect } from 'chai';
import { inTurns } from '../../src/operations/copy/in-turns.js';
import { biUser } from '../../src/embedded/engines/bi-users.js';
import { readDictionary } from '../../src/warehouse/bi/dictionary.js';
import { analystOf, BI_POOL, startBiProxy, type Analyst } from './bi-proxy.js';
import type { Engines } from './engines.js';
import { environmentOf, startService, type Service } from './service.js';
import type { Push, Records } from './shard-records.js';

const SHOP = 'same-shop';
/** Answers are compared: one that is late is as good. */
const WAIT_MS = 120_000;
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

/** With `keys` those of another deployment, whose rows this one is given. */
export async function deploy(engines: Engines, keys?: Keys): Promise<Deployment & { keys: Keys }> {
  const service = await startService({ base: await environmentOf(engines), waitMs: WAIT_MS });
  const { secret, pixel } = keys ?? { secret: await service.key(SHOP), pixel: await service.key(SHOP, 'pixel') };
  const proxy = await startBiProxy(engines, BI_POOL);
  let analyst: Promise<Analyst> | undefined;
  return {
    service,
    keys: { secret, pixel },
    // Once it is asked: a restore wants a deployment without BI users.
    analyst: async <Row>(sql: string) =>
      (await (analyst ??= analystOf(SHOP, proxy, service.stores.warehouse, service.stores.shards.each)))<Row>(sql),
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

export interface Keys {
  secret: string;
  pixel: string;
}

export const SOURCE = { platform: 'test', currency: 'GBP', timezone: 'Europe/London' };

/** Registers the source and pushes the records, each phase once the figures hold the one before. Gives the moments after each. */
export async function pushAll({ call, push, service }: Deployment, { phases }: Records): Promise<string[]> {
  expect(await call('PUT', '/v1/source', SOURCE)).to.match(/^200 /);
  const moments: string[] = [];
  for (const phase of phases) {
    for (const each of phase) await push(each);
    await service.settled();
    moments.push(new Date().toISOString());
  }
  return moments;
}

/** The figures of a range are those of `answers`, or are not told while they may not be read. */
export async function expectFigures(
  { call }: Deployment,
  { answers, isRead }: { answers: ReadonlyMap<string, unknown>; isRead: boolean },
): Promise<void> {
  for (const [path, answer] of answers) {
    if (!/^.v1.(metrics|products|attribution)\?/.test(path)) continue;
    const found = await call('GET', path);
    if (isRead) expect(found, path).to.equal(answer);
    else expect(found, path).to.match(/^503 .*"store_unavailable"/);
  }
}

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
  return [
    `/v1/metrics?from=${from}&to=${to}&include=expenses`,
    `/v1/metrics/daily?from=${from}&to=${to}`,
    `/v1/attribution?from=${from}&to=${to}&model=linear`,
  ].map((path) => `${path}&as_of=${moment}`);
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

/** A state of a day is a row a shard: they are added up. */
const PAST = {
  daily_metrics_history: `SELECT day, part, sum(revenue), sum(refunds), sum(orders), sum(cogs), sum(gateway_fees_actual), sum(ad_spend)
    FROM bi.daily_metrics_history WHERE valid_until IS NULL GROUP BY ALL ORDER BY ALL`,
};

/** All that is asked of a deployment with the records, of now and of some moments, and every view of `bi`. */
export async function allAnswers(
  { call, analyst }: Deployment,
  records: Records,
  moments: readonly string[],
): Promise<Map<string, unknown>> {
  const paths = [...reads(records), ...moments.flatMap((moment) => readsThen(records, moment))];
  const views = [...(await viewQueries({ past: PAST, without: [] }))];
  const asked: (() => Promise<readonly [string, unknown]>)[] = [
    ...paths.map((path) => async () => [path, await call('GET', path)] as const),
    ...views.map(
      ([name, sql]) =>
        async () =>
          [name, await analyst(sql)] as const,
    ),
  ];
  return new Map(await inTurns(asked, 4, (ask) => ask()));
}
