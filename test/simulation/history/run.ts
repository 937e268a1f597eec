import { createExpenseStore } from '../../../src/warehouse/queries/expenses.js';
import { createPlainWarehouse } from '../warehouse/plain-warehouse.js';
import { enterWorld } from '../world/globals.js';
import { someFaults, NO_FAULTS } from '../world/faults.js';
import type { Random } from '../world/random.js';
import { START_MS, type Process } from '../world/scheduler.js';
import { createWorld, type World } from '../world/world.js';
import { checkHistory } from './check.js';
import { planPushes } from './clients.js';
import type { HistoryRecord } from './record.js';
import { isAtRest, isSwept, passTime } from './rest.js';
import { startApi, startWorker, type Api } from './service.js';
import { shopOf, type Shop } from './shops.js';
import { MAX_SKEW_MS, planTrouble } from './trouble.js';

export interface HistoryResult {
  violations: string[];
  pushes: number;
  events: number;
  troubles: readonly string[];
}

/** What a history is made of. */
export interface HistoryPlan {
  shops: number;
  pushes: number;
  /** Time in which clients push and things go wrong. */
  busyMs: number;
  days: number;
  orders: number;
}

/** Simulated time after which a history that has not come to rest never will. */
const PATIENCE_MS = 30 * 60_000;
/** Longer than a reservation may stay without a job; by clocks that differ, one may look as much younger. */
const GRACE_MS = 40_000;
const CLOCKS_APART_MS = 2 * MAX_SKEW_MS;
/** At most: a sweep that is under way goes by the time before the jump, and the one after it comes 5 s later, or what a timer is late. */
const SWEEP_MS = 30_000;

const somePlan = (random: Random): HistoryPlan => ({
  shops: random.int(1, 2),
  pushes: random.int(5, 40),
  busyMs: random.pick([3_000, 6_000, 15_000]),
  days: 3,
  orders: random.int(1, 6),
});

/** Runs one history; everything in it follows from the seed. */
export async function runHistory(seed: number, plan?: HistoryPlan): Promise<HistoryResult> {
  const world = createWorld(seed);
  enterWorld(world.scheduler);
  try {
    return await live(world, plan ?? somePlan(world.scheduler.random));
  } finally {
    enterWorld(null);
  }
}

async function live(world: World, { busyMs, ...plan }: HistoryPlan): Promise<HistoryResult> {
  const { scheduler } = world;
  const { random } = scheduler;
  const shops = Array.from({ length: plan.shops }, (_, i) => shopOf(random, i + 1));
  const record: HistoryRecord = {
    claims: [],
    expenseClaims: [],
    receipts: [],
    violations: [],
    open: new Map(),
    forgottenShops: new Set(),
    hasFailover: false,
    hasSkewedClocks: false,
  };
  const apis = [startApi(world, 'api 1'), startApi(world, 'api 2')];
  const budget = random.pick([0, 3, 1_000]);
  const startWorkers = (count: number): Process[] =>
    Array.from({ length: count }, (_, i) => startWorker(world, `worker ${i + 1}`, budget));
  const workers = startWorkers(random.int(1, 2));

  await register(world, apis, shops);
  const trouble = random.chance(0.85) ? planTrouble({ world, record, apis, workers, budget, busyMs }) : null;
  if (trouble !== null) world.faults = someFaults(random);
  planPushes({ ...plan, world, apis, shops, record, busyMs });
  await passTime(world, () => false, scheduler.now() + busyMs);

  trouble?.end();
  world.faults = NO_FAULTS;
  const isOver = (): boolean => trouble?.isFailingOver() !== true && isAtRest(world, record);
  const rests = await passTime(world, isOver, scheduler.now() + PATIENCE_MS);
  if (!rests) record.violations.push('it does not come to rest: work is left that nobody does');
  scheduler.jump(GRACE_MS + (record.hasSkewedClocks ? CLOCKS_APART_MS : 0));
  await scheduler.run(() => isSwept(world), scheduler.now() + SWEEP_MS);
  // As figures are computed with them once all copies have expired.
  const stored = createExpenseStore(createPlainWarehouse(world.tables));
  const expenses = new Map(await Promise.all(shops.map(async ({ id }) => [id, await stored.list(id)] as const)));
  return {
    violations: checkHistory(world, record, expenses, plan.days),
    pushes: plan.pushes,
    events: scheduler.events(),
    troubles: [...(trouble?.names ?? []), ...(world.isReplicated ? ['replicated tables'] : [])],
  };
}

async function register({ scheduler }: World, [api]: readonly Api[], shops: readonly Shop[]): Promise<void> {
  let open = shops.length;
  for (const { id, timezone } of shops) {
    if (api === undefined) throw new Error('there is no API');
    const settings = { platform: 'simulated', currency: 'EUR', timezone, shopDomain: null };
    void scheduler.as(api.process, () => api.stores.sources.put(id, settings)).then(() => open--);
  }
  if (!(await scheduler.run(() => open === 0, START_MS + 60_000))) throw new Error('the sources were not registered');
}
