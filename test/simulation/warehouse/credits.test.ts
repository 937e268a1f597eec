import { expect } from 'chai';
import { ATTRIBUTION_MODELS } from '../../../src/schemas/attribution.js';
import { creditsOf } from '../../../src/domain/attribution/channel-credit.js';
import type { Expense } from '../../../src/domain/costs/expenses.js';
import { cut, formatExact, ZERO, type Fraction } from '../../../src/domain/money.js';
import { createRebuildQueues } from '../../../src/redis/rebuild-queues.js';
import { createDroppedNames } from '../../../src/redis/dropped-names.js';
import type { Warehouse } from '../../../src/warehouse/client.js';
import { createAttributionReader } from '../../../src/warehouse/queries/attribution.js';
import { linkedOrders, ordersOfEvents } from '../../../src/warehouse/queries/event-links.js';
import { createExpenseStore } from '../../../src/warehouse/queries/expenses.js';
import { rebuildRollups } from '../../../src/warehouse/queries/rollups.js';
import { creditOrders } from '../../../workers/attribution.js';
import { ownDatabase, type OwnDatabase } from '../../support/database.js';
import { newExpense } from '../history/items.js';
import type { ItemOptions } from '../history/shops.js';
import { createRedisClient } from '../redis/client.js';
import { createRedisServer } from '../redis/server.js';
import { START_MS } from '../world/scheduler.js';
import { eventWrite, orderWrite, randomShop } from './encoded.js';
import { createPlainWarehouse } from './plain-warehouse.js';
import { createTables } from './tables.js';

const STEPS = 40;
const RANGE = { from: 20_000, to: 21_000 };
const DAY_MS = 86_400_000;

describe('the simulated warehouse, of events and expenses', function () {
  this.timeout(300_000);
  let database: OwnDatabase;

  before(async () => (database = await ownDatabase('simulated_credits')));
  after(() => database.drop());

  for (const seed of [1, 2]) {
    it(`answers as the real one whatever is written, in whatever order (random writes ${seed})`, async () => {
      const simulated = createPlainWarehouse(createTables());
      const steps = createSteps(seed);
      for (let i = 0; i < STEPS; i++) {
        const [name, step] = steps();
        const [real, found] = [await step(database.warehouse), await step(simulated)];
        expect(found, `step ${i}: ${name}`).to.deep.equal(real);
      }
      const credits = await creditsOfShop(database.warehouse, `shop-${seed}`);
      expect(await creditsOfShop(simulated, `shop-${seed}`)).to.deep.equal(credits);
      expect(credits.join()).to.match(/linear email/);
    });
  }
});

type Step = (warehouse: Warehouse) => Promise<unknown>;

/** Random writes and questions of the service, about one shop. */
function createSteps(seed: number): () => [string, Step] {
  const { options, take } = randomShop(seed);
  const { random, shop } = options;
  const redis = createRedisServer(() => START_MS * 1000);
  const client = createRedisClient(redis, (work) => Promise.resolve(work()));
  const rebuildQueues = createRebuildQueues(client);
  const droppedNames = createDroppedNames(client, () => 1);
  const some = (names: readonly string[]): string[] => names.filter(() => random.chance(0.6));
  const all = [-1, 0, 1, 2, 3, 4, 5].map((n) => {
    return { shopId: shop.id, day: new Date(START_MS - n * DAY_MS).toISOString().slice(0, 10) };
  });

  return () => {
    const orders = new Map([[shop.id, some(['o1', 'o2', 'o3', 'o4'])]]);
    const first = take(100);
    switch (random.int(0, 7)) {
      case 0:
        return ['orders', orderWrite(options, take)];
      case 1:
      case 2:
        return ['events', eventWrite(options)];
      case 3:
        return ['linked orders', async (warehouse) => idsOf(await linkedOrders(warehouse, orders))];
      case 4: {
        const visitors = new Set(some(['visitor-1', 'visitor-2', 'visitor-3', 'visitor-4', 'visitor-5']));
        const since = START_MS - random.int(0, 8) * DAY_MS;
        const arrived = { from: START_MS, to: START_MS + random.int(0, 48) * 3_600_000 };
        const news = new Map([
          [shop.id, { visitors, orders: new Set(['o1']), checkouts: new Set<string>(), since, arrived }],
        ]);
        return ['orders of events', async (warehouse) => idsOf(await ordersOfEvents(warehouse, news, DAY_MS))];
      }
      case 5: {
        const expense = expenseOf(options);
        return [
          'an expense',
          async (warehouse) => {
            const store = createExpenseStore(warehouse);
            await store.write(shop.id, expense, first);
            const list = await store.list(shop.id);
            return [list.sort(byId), await store.count(shop.id), await store.find(shop.id, expense.expenseId)];
          },
        ];
      }
      default:
        return [
          'credit',
          async (warehouse) => {
            let next = first;
            const takeStamps = () => Promise.resolve(next++);
            const deps = { warehouse, rebuildQueues, droppedNames, takeStamps };
            await creditOrders(deps, orders, { version: first, lane: 'fresh' });
            await rebuildRollups(warehouse, all, takeStamps);
            return creditsOfShop(warehouse, shop.id);
          },
        ];
    }
  };
}

function expenseOf(options: ItemOptions): Expense {
  const { key, wire, frequency, from, to } = newExpense(options);
  const { name, category, amount, currency } = wire;
  const days = { startedOn: from, endedOn: to, countsAsAdSpend: false };
  return { expenseId: key, externalId: key, name, category, amount, currency, frequency, ...days };
}

const byId = (a: Expense, b: Expense): number => (a.expenseId < b.expenseId ? -1 : 1);

const idsOf = (orders: readonly { id: string }[]): string[] => [...new Set(orders.map(({ id }) => id))].sort();

async function creditsOfShop(warehouse: Warehouse, shopId: string): Promise<string[]> {
  const read = createAttributionReader(warehouse);
  const lists = await Promise.all(
    ATTRIBUTION_MODELS.map(async (model) => {
      const credits = creditsOf(await read(shopId, RANGE, model), () => ZERO);
      return Array.from(credits, ([channel, credit]) => `${model} ${channel} ${exact(credit)}`);
    }),
  );
  return lists.flat().sort();
}

const exact = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (isFraction(part) ? digits(part) : part));

const isFraction = (part: unknown): part is Fraction => typeof part === 'object' && part !== null && 'num' in part;
const digits = (amount: Fraction): string => formatExact(cut(amount, 12).num);
