import { pino } from 'pino';
import { createStores, type Stores } from '../../../src/composition/stores.js';
import type { Sender } from '../../../src/domain/ingest.js';
import { createGroupCommit } from '../../../src/ingest/group-commit.js';
import type { Items } from '../../../src/body/items.js';
import { createEventQueue } from '../../../src/ingest/event-push.js';
import { createEventIntake } from '../../../src/ingest/events.js';
import { createOrderCommit } from '../../../src/ingest/order-commit.js';
import { createOrderIntake } from '../../../src/ingest/orders.js';
import { createExpenseIntake } from '../../../src/ingest/expenses.js';
import { createCostPreview } from '../../../src/warehouse/queries/cost-preview.js';
import { createProductCostIntake } from '../../../src/ingest/product-costs.js';
import { createShopHosts } from '../../../src/ingest/shop-hosts.js';
import { createSpendIntake } from '../../../src/ingest/spend.js';
import { NEVER_YIELDS } from '../../../src/body/yielding.js';
import type { ProductCostsPush, SpendPush } from '../../../src/queue/jobs.js';
import { createShopNamesState } from '../../../src/redis/shop-names.js';
import { createFreshness, type RequirePush } from '../../../src/figures/freshness.js';
import { createShopNames } from '../../../src/repositories/shop-names.js';
import { NO_HEAD } from '../../../src/warehouse/columns/json-rows.js';
import { createLoggedFinder, writeIngestLog } from '../../../src/warehouse/queries/ingest-log.js';
import { createNewestVersions } from '../../../src/warehouse/queries/settle-orders.js';
import { createShopNameReaders } from '../../../src/warehouse/queries/shop-names.js';
import { runWorkers } from '../../../workers/run-worker.js';
import { createSimulatedConsume, createSimulatedProducer } from '../queue/clients.js';
import { createRedisClient } from '../redis/client.js';
import { createSimulatedWarehouse } from '../warehouse/warehouse.js';
import type { Process } from '../world/scheduler.js';
import type { World } from '../world/world.js';

export type PushKind = 'orders' | 'product_costs' | 'spend' | 'events' | 'expenses';

export interface PushAnswer {
  receipt?: string;
  results: readonly { outcome: string }[];
}

/** One process of the API, with the real way in. */
export interface Api {
  process: Process;
  stores: Stores;
  push(shopId: string, kind: PushKind, items: readonly object[], validateOnly: boolean): Promise<PushAnswer>;
  requirePush: RequirePush;
}

function openStores(world: World, process: Process): Stores {
  const redis = createRedisClient(world.redis, world.connect(process));
  return createStores({ redis, warehouse: createSimulatedWarehouse(world, process), now: Date.now });
}

const NAMES = { most: 1_000 };
const keepNothing = () => ({ add: () => undefined, keep: () => Promise.resolve() });

export function startApi(world: World, name: string): Api {
  const process = world.process(name);
  return world.scheduler.as(process, () => {
    const stores = openStores(world, process);
    const { redis, warehouse, sources, versions, receipts, now } = stores;
    const producer = createSimulatedProducer(world, world.connect(process));
    const stored = createShopNameReaders(warehouse);
    const names = (kind: keyof typeof stored) =>
      createShopNames({ state: createShopNamesState(redis, kind), stored: stored[kind], ...NAMES });
    const common = { sources, receipts, openRejections: keepNothing, now };
    const take = {
      orders: createOrderIntake({
        ...common,
        gateways: names('gateways'),
        versions,
        newestVersions: createNewestVersions(stores.shards),
        commit: createOrderCommit({ producer }),
      }),
      costs: createProductCostIntake({
        ...common,
        previewCosts: createCostPreview(warehouse),
        commit: createGroupCommit<ProductCostsPush>({ producer, queue: 'product-costs', heads: [NO_HEAD] }),
      }),
      spend: createSpendIntake({
        ...common,
        channels: names('channels'),
        adAccounts: names('adAccounts'),
        commit: createGroupCommit<SpendPush>({ producer, queue: 'spend', heads: [NO_HEAD, NO_HEAD] }),
      }),
      events: createEventIntake({
        hosts: createShopHosts(sources),
        queueEvents: createEventQueue(producer, now),
        dropNames: () => Promise.resolve(),
        now,
      }),
    };
    const expenses = createExpenseIntake({
      ...common,
      expenses: stores.expenses,
      writeLog: (headers) => writeIngestLog(stores, headers),
    });
    /** One by one, as a client has to send them. */
    const putExpenses = async (sender: Sender, list: readonly object[]): Promise<PushAnswer> => {
      let receipt = '';
      for (const body of list) ({ receipt } = await expenses.upsert(sender, body));
      return { receipt, results: list.map(() => ({ outcome: 'accepted' })) };
    };
    const collect = async ({ shopId, ...request }: Sender, items: Items): Promise<PushAnswer> => {
      const { faults, queued } = await take.events({ shopId, request, items, userAgent: undefined, sentAt: undefined });
      await queued;
      return { results: faults.map((errors) => ({ outcome: errors === null ? 'accepted' : 'rejected', errors })) };
    };
    return {
      process,
      stores,
      push(shopId, kind, list, validateOnly) {
        const sender: Sender = { shopId, keyLast4: 'sim0', requestId: 'simulated', traceId: '' };
        const items = itemsOf(list);
        if (kind === 'expenses') return putExpenses(sender, list);
        if (kind === 'events') return collect(sender, items);
        if (kind === 'orders') return take.orders(sender, items, { validateOnly, yielder: NEVER_YIELDS });
        return kind === 'spend'
          ? take.spend(sender, items, NEVER_YIELDS)
          : take.costs(sender, items, { validateOnly: false, yielder: NEVER_YIELDS });
      },
      requirePush: createFreshness({ ...stores, findLogged: createLoggedFinder(warehouse) }).requirePush,
    };
  });
}

function itemsOf(list: readonly object[]): Items {
  const read = (index: number) => ({ value: list[index] });
  return {
    length: list.length,
    read,
    *[Symbol.iterator]() {
      for (let i = 0; i < list.length; i++) yield read(i);
    },
  };
}

const log = pino({ level: 'silent' });

/** One process of the workers, as it runs in production. */
export function startWorker(world: World, name: string, versionCacheOrders: number): Process {
  const process = world.process(name);
  const { scheduler, queue, bell, travelMs } = world;
  scheduler.as(process, () =>
    runWorkers(openStores(world, process), {
      consume: createSimulatedConsume({
        server: queue,
        bell,
        call: world.connect(process),
        uuid: () => crypto.randomUUID(),
        post: (run) => void scheduler.at(scheduler.now() + travelMs(), process, run),
      }),
      versionCacheOrders,
      log,
    }),
  );
  return process;
}
