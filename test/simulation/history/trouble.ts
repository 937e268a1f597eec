import type { QueueName } from '../../../src/queue/jobs.js';
import type { Process } from '../world/scheduler.js';
import type { World } from '../world/world.js';
import type { HistoryRecord } from './record.js';
import { startApi, startWorker, type Api } from './service.js';

/** Of the clock of a process, in either direction. */
export const MAX_SKEW_MS = 60_000;

export interface TroubleOptions {
  world: World;
  record: HistoryRecord;
  /** Those that run; a killed one is replaced. */
  apis: Api[];
  workers: Process[];
  budget: number;
  busyMs: number;
}

export interface Trouble {
  names: string[];
  /** All that was away comes back. */
  end(): void;
  /** Whether Redis is still about to lose what its replica lacks. */
  isFailingOver(): boolean;
}

/** Kills, pauses, outages and lost memory at random times. */
export function planTrouble({ world, record, apis, workers, budget, busyMs }: TroubleOptions): Trouble {
  const { random, at, now } = world.scheduler;
  const names: string[] = [];
  const start = now();
  let isOver = false;
  const later = (ms: number, run: () => void): void => void at(now() + ms, null, run);
  const between = (least: number, most: number): number => random.int(least, most);
  /** In some histories, some times, at some time. */
  const sometimes = (name: string, probability: number, most: number, run: () => void): void => {
    if (!random.chance(probability)) return;
    names.push(name);
    for (let i = between(1, most); i > 0; i--) {
      at(start + random.next() * busyMs, null, () => {
        if (!isOver) run();
      });
    }
  };
  let started = 0;

  const kill = (): void => {
    const index = between(0, apis.length + workers.length - 1);
    const api = apis[index];
    const process = api?.process ?? workers[index - apis.length];
    if (process?.isAlive !== true) return;
    process.isAlive = false;
    later(between(50, 3_000), () => {
      const name = `${process.name}, again ${++started}`;
      if (api !== undefined) apis[index] = startApi(world, name);
      else workers[index - apis.length] = startWorker(world, name, budget);
    });
  };
  const pause = (): void => {
    const process = random.pick([...apis.map((api) => api.process), ...workers]);
    process.pausedUntil = now() + between(100, 25_000);
  };
  let failovers = 0;
  const failOver = (): void => {
    failovers++;
    const { redis } = world;
    const replica = redis.keys.copy();
    const from = Math.max(0, ...record.claims.map(({ begin, end }) => Math.max(begin, end === Infinity ? 0 : end)));
    later(between(1, 2_000), () => {
      failovers--;
      redis.keys.values = replica.values;
      redis.keys.expiries = replica.expiries;
      world.generation++;
      record.hasFailover = true;
      const isForgotten = (end: number): boolean => end > from;
      for (const claim of record.claims) {
        if (!isForgotten(claim.end)) continue;
        claim.mayBeForgotten = true;
        record.forgottenShops.add(claim.shopId);
      }
      record.receipts = record.receipts.filter(({ end }) => !isForgotten(end));
    });
  };
  const loseLock = (): void => {
    const locks = [...world.redis.keys.values.keys()].filter((key) => key.endsWith(':lock'));
    if (locks.length > 0) world.redis.keys.delete(random.pick(locks));
  };
  const merge = (): void => {
    const { orders, orderDays, orderKeys, productCosts, spend, events } = world.tables;
    const { visitorEvents, eventLinks, orderAttribution, expenses } = world.tables;
    const { dailyProducts, orderFacts, dailyOrders, dailySpend } = world.tables;
    const pushed = [orders, orderDays, orderKeys, productCosts, spend, events];
    const explained = [visitorEvents, eventLinks, orderAttribution, expenses];
    const computed = [dailyProducts, orderFacts, dailyOrders, dailySpend];
    for (const table of [...pushed, ...explained, ...computed]) table.merge(() => random.chance(0.5));
  };
  const down = (store: 'isRedisDown' | 'isWarehouseDown', most: number) => (): void => {
    world[store] = true;
    later(between(50, most), () => (world[store] = false));
  };
  const poison = (): void => {
    const order = `o${between(1, 6)}`;
    world.poisoned.add(order);
    world.everPoisoned.add(order);
    later(between(500, 8_000), () => world.poisoned.delete(order));
  };

  sometimes('kill', 0.5, 3, kill);
  sometimes('pause', 0.3, 2, pause);
  sometimes('failover', 0.2, 1, failOver);
  sometimes('lost lock', 0.3, 3, loseLock);
  sometimes('merge', 0.6, 8, merge);
  sometimes('Redis away', 0.25, 2, down('isRedisDown', 2_500));
  sometimes('warehouse away', 0.3, 2, down('isWarehouseDown', 6_000));
  sometimes('poison', 0.15, 1, poison);
  sometimes('clock', 0.2, 2, () => {
    record.hasSkewedClocks = true;
    random.pick([...apis.map((api) => api.process), ...workers]).skewMs = between(-MAX_SKEW_MS, MAX_SKEW_MS);
  });

  return {
    names,
    isFailingOver: () => failovers > 0,
    end() {
      isOver = true;
      world.isRedisDown = false;
      world.isWarehouseDown = false;
      world.poisoned.clear();
      for (const process of [...apis.map((api) => api.process), ...workers]) process.pausedUntil = 0;
      // Dead letters are put back, as an operator does once the reason is gone. No other job may have become one.
      const refused: QueueName[] = names.includes('poison') ? ['orders', 'spend', 'product-costs', 'events'] : [];
      const timer = (): void => {
        for (const queue of refused) world.queue.retryFailed(queue);
        for (const wakers of world.bell.values()) for (const wake of wakers) wake();
        later(1_000, timer);
      };
      timer();
    },
  };
}
