import { createClient } from '../client/index.js';
import { inChunks } from '../domain/in-chunks.js';
import { utcDay } from '../domain/time.js';
import type { KeyRecord } from '../domain/keys.js';
import type { ShardOf } from '../domain/shard-of.js';
import type { Items } from '../body/items.js';
import { createEventIntake } from '../ingest/events.js';
import { createEventQueue } from '../ingest/event-push.js';
import { createShopHosts } from '../ingest/shop-hosts.js';
import type { Producer } from '../queue/producer.js';
import type { KeyRegistry } from '../repositories/keys.js';
import type { SourceRegistry } from '../repositories/sources.js';
import { renewKey } from './renew-key.js';
import { makeSampleShop, SAMPLE_SHOP, SAMPLE_SOURCE, type SampleShop } from './sample-shop.js';

export interface SampleShopDeps {
  /** Address of the running service. */
  url: string;
  keys: Pick<KeyRegistry, 'list' | 'save' | 'revoke'>;
  sources: SourceRegistry;
  producer: Pick<Producer, 'add'>;
  shardOf: ShardOf;
  now: () => number;
  signal?: AbortSignal;
}

/** What was pushed: the shop's days, the number of its orders, and the receipt of the last of them. */
export interface PushedSample extends Pick<SampleShop, 'days'> {
  orders: number;
  receipt: string | undefined;
  /** A secret key of the shop. */
  key: string;
}

const MAX_SPEND_ROWS = 500;
/** Made before all else, and when everything was pushed. */
const FIRST_KEY = { shopId: SAMPLE_SHOP, name: 'Shop backend', kind: 'secret' } as const;
const LAST_KEY = { shopId: SAMPLE_SHOP, name: 'Website', kind: 'pixel' } as const;

/** Whether a process has begun the sample shop, whose keys these are, and none has pushed all of it. */
export function isPartialSample(its: readonly Pick<KeyRecord, 'name'>[]): boolean {
  const has = (name: string): boolean => its.some((key) => key.name === name);
  return has(FIRST_KEY.name) && !has(LAST_KEY.name);
}

/**
 * Makes the sample shop or brings it up to today, as a shop would: all by the API, with a key that goes on working. Its visits alone
 * are taken here, by the same code as those that a browser sends, since the moment at which an event arrives proves it: each arrives at
 * its own time. The keys are shown to no one. Running it again makes no figure wrong, and completes what a killed process has left.
 *
 * @throws ProfitApiError, ProfitUnavailableError; RequestError `queue_unavailable`
 */
export async function pushSampleShop({ url, keys, now, signal, ...deps }: SampleShopDeps): Promise<PushedSample> {
  const shop = makeSampleShop(now());
  const key = await renewKey(keys, FIRST_KEY, now());
  const client = createClient({ url, key, ...(signal && { signal }) });
  await client.request('PUT', '/v1/source', SAMPLE_SOURCE);
  await sendVisits(shop, deps);
  await client.request('PUT', '/v1/products/costs', { costs: shop.productCosts });
  await client.request('PUT', '/v1/costs/gateway-fees', { rules: shop.feeRules });
  for (const rows of inChunks(shop.spend, MAX_SPEND_ROWS)) await client.request('POST', '/v1/costs/spend', { rows });
  for (const expense of shop.expenses) await client.request('POST', '/v1/costs/expenses', expense);
  const { receipt, rejected } = await client.pushOrders(shop.orders);
  if (rejected > 0) throw new Error(`${rejected} orders of the sample shop were rejected`);
  await renewKey(keys, LAST_KEY, now());
  return { days: shop.days, orders: shop.orders.length, receipt, key };
}

type Visiting = Pick<SampleShopDeps, 'sources' | 'producer' | 'shardOf'>;

/** Each day is written before the next, so that the log of pushes has what arrived on it. */
async function sendVisits({ batches }: SampleShop, { sources, producer, shardOf }: Visiting): Promise<void> {
  let at = 0;
  const now = (): number => at;
  const take = createEventIntake({
    hosts: createShopHosts(sources),
    queueEvents: createEventQueue(producer, now, shardOf),
    dropNames: () => Promise.resolve(),
    now,
  });
  const sender = { shopId: SAMPLE_SHOP, request: { requestId: 'sample-shop', traceId: '' } };
  const queued: Promise<void>[] = [];
  for (const batch of batches) {
    if (utcDay(batch.at) !== utcDay(at)) await Promise.all(queued.splice(0));
    ({ at } = batch);
    const items = itemsOf(batch.events);
    queued.push((await take({ ...sender, items, userAgent: undefined, sentAt: undefined })).queued);
  }
  await Promise.all(queued);
}

function itemsOf(events: readonly unknown[]): Items {
  const items = events.map((value) => ({ value }));
  return {
    length: items.length,
    read: (index) => items[index] ?? { value: undefined },
    [Symbol.iterator]: () => items.values(),
  };
}
