import { expect } from 'chai';
import { whole } from '../../../src/domain/money.js';
import { parseDay } from '../../../src/domain/time.js';
import type { Warehouse } from '../../../src/warehouse/client.js';
import { applyMaterializedViews } from '../../../src/warehouse/migrations/materialized-views.js';
import { createGatewayFeeStore } from '../../../src/warehouse/queries/gateway-fees.js';
import { createMetricsReader } from '../../../src/warehouse/queries/metrics.js';
import { createRestatementReader, type DayMoment } from '../../../src/warehouse/queries/restatements.js';
import { rebuildRollups } from '../../../src/warehouse/queries/rollups.js';
import { createPastSettingsReader } from '../../../src/warehouse/queries/settings-history.js';
import { ownDatabase, VIEWS } from '../../support/database.js';

const shop = 'shop';
const day = '2026-03-01';
const range = { from: parseDay(day) ?? 0, to: parseDay(day) ?? 0 };

describe('histories', () => {
  let warehouse: Warehouse;
  let drop: () => Promise<void>;
  let stamp = 1_000;
  /** A moment before there was any row, and one at which the first ones had their figures. */
  let empty: number;
  let first: number;

  before(async () => {
    ({ warehouse, drop } = await ownDatabase('history_test'));
    empty = await clock();
    await pushOrder('o-1', '90');
    await warehouse.insert('product_costs', [
      { shop_id: shop, sku: 'A', effective_from: '1970-01-01', unit_cost: '3', version: stamp },
    ]);
    await warehouse.insert('ad_spend', [
      { shop_id: shop, event_date: day, channel: 'email', currency: 'EUR', spend: '7', version: stamp },
    ]);
    await warehouse.insert('spend_rollup_requests', [{ shop_id: shop, day, computed_at: stamp }]);
    await warehouse.insert('sources', [{ shop_id: shop, currency: 'EUR', timezone: 'UTC', version: stamp }]);
    await warehouse.insert('gateway_fee_rules', [
      {
        shop_id: shop,
        'rules.payment_gateway': ['card'],
        'rules.gateway': ['card'],
        'rules.percent': ['2'],
        'rules.fixed': ['0.3'],
        version: stamp,
      },
    ]);
    const expense = { shop_id: shop, amount: '31.00', currency: 'EUR', frequency: 'monthly', started_on: day };
    await warehouse.insert('expenses', [
      { ...expense, expense_id: 'rent', end_day: parseDay('2026-12-31'), version: stamp },
      { ...expense, expense_id: 'gone', version: stamp, is_deleted: 1 },
    ]);
    await rebuild();
    first = await clock();
  });
  after(() => drop());

  async function pushOrder(id: string, revenue: string): Promise<void> {
    const order = { shop_id: shop, order_id: id, version: stamp, placed_day: day };
    const line = { 'line_items.sku': ['A'], 'line_items.quantity': ['2'], 'line_items.unit_price': ['45'] };
    await warehouse.insert('orders', [
      {
        ...order,
        ...line,
        status: 'paid',
        'line_items.line_id': ['1'],
        'line_items.line_discount': ['0'],
        'line_items.unit_cost': [null],
        'line_items.product_id': [''],
        'line_items.title': ['Mug'],
      },
    ]);
    await warehouse.insert('order_days', [
      {
        ...order,
        day,
        orders: 1,
        revenue,
        'lines.sku': ['A'],
        'lines.quantity': ['2'],
        'lines.unit_cost': [null],
        'lines.restock': [false],
      },
    ]);
  }
  const rebuild = (): Promise<number> =>
    rebuildRollups(warehouse, [{ shopId: shop, day }], () => Promise.resolve(++stamp));
  const clock = async (): Promise<number> => {
    const [row] = await warehouse.query<{ now: string }>('SELECT toString(toUnixTimestamp64Micro(now64(6))) AS now');
    return Number(row?.now);
  };
  /** What the service reads of that day, of now or of a moment. */
  async function figures(asOf?: number): Promise<unknown[]> {
    return createMetricsReader(warehouse).parts(shop, range, [], asOf);
  }
  /** The moments at which the day changed. */
  const changes = async (): Promise<DayMoment[]> =>
    createRestatementReader(warehouse).moments({
      shopId: shop,
      range,
      timezone: 'UTC',
      from: { at: 0, day: 0 },
      until: { at: await clock(), day: range.to },
      limit: 100,
    });

  it('have what held at a moment, and nothing before the first write', async () => {
    const now = await figures();
    expect(now).to.have.nested.property('[0].sums.orders').that.deep.equals(whole(1));
    expect(now).to.have.nested.property('[0].spend[0].channel', 'email');
    expect(await figures(first)).to.deep.equal(now);
    expect(await figures(empty)).to.deep.equal([]);
    expect((await createPastSettingsReader(warehouse)(shop, first)).settings).to.deep.equal({
      source: { currency: 'EUR', timezone: 'UTC', convertSpend: false },
      rules: [{ payment_gateway: 'card', percent: '2.00', fixed: '0.30' }],
      expenses: [
        {
          amount: '31.00',
          currency: 'EUR',
          frequency: 'monthly',
          startedOn: range.from,
          endedOn: parseDay('2026-12-31'),
          countsAsAdSpend: false,
        },
      ],
    });
  });

  it('says when the settings of a moment changed: a rule, the end of an expense, a source', async () => {
    const read = createPastSettingsReader(warehouse);
    const changes = [
      () => createGatewayFeeStore(warehouse).write(shop, [], ++stamp),
      () => warehouse.insert('expenses', [{ shop_id: shop, expense_id: 'rent', version: ++stamp, is_deleted: 1 }]),
      () => warehouse.insert('sources', [{ shop_id: shop, currency: 'USD', timezone: 'UTC', version: ++stamp }]),
    ];
    const seen = [];
    for (const change of changes) {
      const [before, moment] = [await read(shop, first), await clock()];
      expect((await read(shop, moment)).changesAt).to.be.above(Number.MAX_SAFE_INTEGER);
      await change();
      const { settings, changesAt } = await read(shop, moment);
      expect(changesAt).to.be.within(moment, await clock());
      expect((await read(shop, changesAt - 1)).settings).to.deep.equal(settings);
      seen.push({ changesAt, settings: (await read(shop, changesAt)).settings });
      expect(seen.at(-1)?.settings).to.not.deep.equal(settings);
      expect((await read(shop, first)).settings).to.deep.equal(before.settings);
    }
    const [rule, , source] = seen;
    expect((await read(shop, first)).changesAt).to.equal(rule?.changesAt);
    expect(source?.settings).to.deep.equal({
      source: { currency: 'USD', timezone: 'UTC', convertSpend: false },
      rules: [],
      expenses: [],
    });
    const unknown = { source: null, rules: [], expenses: [] };
    expect(await read('other', first)).to.deep.equal({ settings: unknown, changesAt: Infinity });
  });

  it('know no change where a rebuild finds the same figures', async () => {
    const before = await changes();
    await rebuild();
    expect(await changes()).to.deep.equal(before);
  });

  it('knows a change, and what stood before it', async () => {
    const [before, moment] = [await figures(), await clock()];
    await pushOrder('o-2', '10');
    await rebuild();
    expect(await figures(moment)).to.deep.equal(before);
    const now = await figures();
    expect(now).to.not.deep.equal(before);
    expect(await figures(await clock())).to.deep.equal(now);
    const [last] = (await changes()).slice(-1);
    expect(last?.at).to.be.above(moment);
    const stateAt = async (at: number) =>
      (await createRestatementReader(warehouse).states(shop, [{ at, day: range.from }]))[0]?.sales;
    expect(await stateAt(last?.at ?? 0)).to.deep.equal((await createMetricsReader(warehouse).daily(shop, range))[0]);
    expect(await stateAt((last?.at ?? 0) - 1)).to.deep.equal(
      (await createMetricsReader(warehouse).daily(shop, range, moment))[0],
    );
  });

  it('catches up with a rebuild that died between the figures and their history', async () => {
    await pushOrder('o-3', '5');
    await warehouse.command('DROP VIEW daily_orders_history_feed');
    await rebuild();
    expect(await applyMaterializedViews(warehouse, { folder: VIEWS })).to.deep.equal(['daily_orders_history_feed']);
    expect(await figures(await clock())).to.not.deep.equal(await figures());
    await rebuild();
    expect(await figures(await clock())).to.deep.equal(await figures());
  });

  it('hides nothing that stands when a slower rebuild of an earlier moment ends last', async () => {
    const [now, before] = [await figures(), await changes()];
    await warehouse.command(
      `INSERT INTO daily_orders (shop_id, day, computed_at, part, sums) VALUES ('${shop}', '${day}', 5, 'orders', map('revenue', 1))`,
    );
    expect(await figures()).to.deep.equal(now);
    expect(await figures(await clock())).to.deep.equal(now);
    expect(await changes()).to.deep.equal(before);
  });
});
