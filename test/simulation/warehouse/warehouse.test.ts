import { expect } from 'chai';
import type { SalesPart } from '../../../src/domain/metrics/figures.js';
import { SUMS } from '../../../src/domain/metrics/sums.js';
import { cut, formatExact, type Fraction } from '../../../src/domain/money.js';
import type { Warehouse } from '../../../src/warehouse/client.js';
import { NO_HEAD } from '../../../src/warehouse/columns/json-rows.js';
import { insertRows } from '../../../src/warehouse/insert-rows.js';
import { createMetricsReader } from '../../../src/warehouse/queries/metrics.js';
import {
  daysOfProductCosts,
  encodeProductCosts,
  noteCostChanges,
} from '../../../src/warehouse/queries/product-costs.js';
import { rebuildFigures, rebuildRollups } from '../../../src/warehouse/queries/rollups.js';
import { singleShard } from '../../../src/warehouse/cluster/sharded-warehouse.js';
import { createNewestVersions, daysOfOrders, settleOrderDays } from '../../../src/warehouse/queries/settle-orders.js';
import { encodeSpend, rebuildSpend } from '../../../src/warehouse/queries/spend.js';
import { ownDatabase, type OwnDatabase } from '../../support/database.js';
import { newCost, newSpend } from '../history/items.js';
import { shopOf, type ItemOptions } from '../history/shops.js';
import { createRandom } from '../world/random.js';
import { START_MS } from '../world/scheduler.js';
import { eventWrite, FIRST_STAMP, orderWrite, randomShop } from './encoded.js';
import { createPlainWarehouse } from './plain-warehouse.js';
import { createTables } from './tables.js';

const STEPS = 60;
const RANGE = { from: 20_000, to: 21_000 };

describe('the simulated warehouse', function () {
  this.timeout(300_000);
  let database: OwnDatabase;

  before(async () => {
    database = await ownDatabase('simulated');
    // Days of product costs are read from versions that a merge may take away at any moment; the simulation takes none.
    await database.warehouse.command('SYSTEM STOP MERGES product_costs');
  });
  after(() => database.drop());

  for (const seed of [1, 2, 3]) {
    it(`answers as the real one whatever is written, in whatever order (random writes ${seed})`, async () => {
      const tables = createTables();
      const simulated = createPlainWarehouse(tables);
      const steps = createSteps(seed);
      for (let i = 0; i < STEPS; i++) {
        const [name, step] = steps();
        const answers = [await step(database.warehouse), await step(simulated)];
        expect(answers[1], `step ${i}: ${name}`).to.deep.equal(answers[0]);
      }
      const [real, figures] = await Promise.all(
        [database.warehouse, simulated].map((one) => figuresOf(one, `shop-${seed}`)),
      );
      expect(figures).to.deep.equal(real);
      expect(JSON.stringify(real)).to.match(/"orders":"[1-9]/);
    });
  }

  it('keeps of several events under one id the one that arrived first, whatever is written when and how often', async () => {
    const tables = createTables();
    const simulated = createPlainWarehouse(tables);
    const random = createRandom(4);
    let tags = 0;
    const options: ItemOptions = { random, shop: shopOf(random, 1), days: 1, orders: 5, newTag: () => ++tags };
    const writes: ReturnType<typeof eventWrite>[] = [];
    for (let i = 0; i < 20; i++) {
      const write = random.chance(0.3) && writes.length > 0 ? random.pick(writes) : eventWrite(options);
      writes.push(write);
      for (const warehouse of [database.warehouse, simulated]) await write(warehouse);
    }
    const stored = await database.warehouse.query(
      'SELECT event_id, anon_id FROM events FINAL WHERE shop_id = {shop:String} ORDER BY event_id',
      { shop: options.shop.id },
    );
    const kept = [...tables.events.keys()].sort().map((key) => tables.events.final(key));
    expect(kept.map((row) => ({ event_id: row?.event_id, anon_id: row?.anon_id }))).to.deep.equal(stored);
    expect(stored).to.have.length.above(10);
  });
});

type Step = (warehouse: Warehouse) => Promise<unknown>;

/** Random writes and questions of the service, about one shop; each runs against whichever warehouse it is given. */
function createSteps(seed: number): () => [string, Step] {
  const { options, take } = randomShop(seed);
  const { random, shop } = options;
  const someIds = (): string[] => ['o1', 'o2', 'o3', 'o4'].filter(() => random.chance(0.6));
  const rows: (() => [string, Step])[] = [];
  const costs: { first: number; count: number }[] = [];
  const list = (): number[] => Array.from({ length: random.int(1, 3) });
  const days = [-1, 0, 1, 2, 3, 4].map((n) => new Date(START_MS - n * 86_400_000).toISOString().slice(0, 10));
  const all = days.map((day) => ({ shopId: shop.id, day }));
  /** Stamps that both warehouses are given alike. */
  const stamps = (first: number) => {
    let next = first;
    return () => Promise.resolve(next++);
  };

  const orders = (): [string, Step] => ['orders', orderWrite(options, take)];
  const productCosts = (): [string, Step] => {
    const items = list().map(() => newCost(options));
    const first = take(items.length);
    costs.push({ first, count: items.length });
    const stamped = items.map(({ wire }, i) => ({ cost: wire, stamp: first + i }));
    const encoded = encodeProductCosts(shop.id, stamped, 'EUR');
    return ['product costs', (warehouse) => insertRows(warehouse, 'product_costs', [{ head: NO_HEAD, rows: encoded }])];
  };
  const spend = (): [string, Step] => {
    const items = list().map(() => newSpend(options));
    const first = take(items.length);
    const stamped = items.map(({ wire }, i) => ({ row: wire, channel: 'custom:ads', stamp: first + i }));
    const encoded = encodeSpend(shop.id, stamped);
    return [
      'spend',
      async (warehouse) => {
        await insertRows(warehouse, 'ad_spend', [{ head: NO_HEAD, rows: encoded.spend }]);
        await insertRows(warehouse, 'ad_spend_clears', [{ head: NO_HEAD, rows: encoded.clears }]);
      },
    ];
  };
  const again = (): [string, Step] => (rows.length === 0 ? orders() : random.pick(rows)());
  const written = (make: () => [string, Step]): [string, Step] => {
    const one = make();
    // It may be sent again, at any time.
    rows.push(() => [`${one[0]}, again`, one[1]]);
    return one;
  };

  return () => {
    const ids = someIds();
    const [ofShop, some] = [new Map([[shop.id, ids]]), costs.filter(() => random.chance(0.4))];
    const [lane, early] = [random.chance(0.5), random.chance(0.2)];
    switch (random.int(0, 10)) {
      case 0:
      case 1:
        return written(orders);
      case 2:
        return written(productCosts);
      case 3:
        return written(spend);
      case 4:
        return again();
      case 5:
        return ['settling', async (warehouse) => sorted(await settleOrderDays(warehouse, ofShop))];
      case 6:
        return ['days of orders', async (warehouse) => sorted(await daysOfOrders(warehouse, ofShop))];
      case 7:
        return [
          'newest versions',
          async (warehouse) =>
            ids.length === 0 ? [] : [...(await createNewestVersions(singleShard(warehouse))(shop.id, ids))].sort(),
        ];
      case 8: {
        const storedAt = take(1);
        return [
          'days of product costs',
          async (warehouse) => {
            await noteCostChanges(warehouse, new Map(some.length === 0 ? [] : [[shop.id, some]]), storedAt);
            return daysOfProductCosts(warehouse, shop.id, some);
          },
        ];
      }
      case 9: {
        // Some rebuilds end after one that began later.
        const first = early ? FIRST_STAMP - random.int(1, 1000) : take(10);
        const rebuild = lane ? rebuildRollups : rebuildFigures;
        return [
          'rebuild',
          async (warehouse) => {
            await rebuild(warehouse, all, stamps(first));
            await rebuildSpend(warehouse, all, first);
            return figuresOf(warehouse, shop.id);
          },
        ];
      }
      default:
        return ['figures', (warehouse) => figuresOf(warehouse, shop.id)];
    }
  };
}

const sorted = (days: ReadonlyMap<string, readonly string[]>): unknown =>
  Array.from(days, ([id, list]) => [id, [...list].sort()]);

const figuresOf = async (warehouse: Warehouse, shopId: string): Promise<unknown> =>
  plain(await createMetricsReader(warehouse).daily(shopId, RANGE));

/** In a form that two equal parts share. */
function plain(parts: readonly SalesPart[]): unknown {
  const exact = (amount: Fraction): string => formatExact(cut(amount, 12).num);
  const byDay = [...parts].sort((a, b) => a.day - b.day);
  return byDay.map(({ sums, spend, ...rest }) => ({
    ...rest,
    sums: Object.fromEntries(SUMS.map(({ name }) => [name, exact(sums[name])])),
    spend: spend.map(({ currency, amount }) => [currency, exact(amount)]),
  }));
}
