import { Big } from 'big.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { analystsOf } from '../support/bi-proxy.js';
import { placedOrders, sumOf, withCustomers, type PlacedOrder } from '../support/customer-reference.js';
import { batchesOf, historyArbitrary } from '../support/order-arbitrary.js';
import { newestPushes } from '../support/order-reference.js';
import { runs } from '../support/runs.js';
import { useService, type Shop } from '../support/service.js';
import { sharedBiProxy } from '../support/shared-engines.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

/** Whole months, and days that cut them. */
const RANGES = [
  ['2025-02-01', '2026-01-31'],
  ['2025-05-17', '2025-09-02'],
  ['2025-06-01', '2025-06-30'],
] as const;
/** So long that no customers of it are looked for first. */
const YEARS = 'from=2024-01-01&to=2026-12-31';

describe('customers over random histories', function () {
  this.timeout(600_000);
  const service = useService();
  let rows: ReturnType<typeof analystsOf>;

  before(() => {
    rows = analystsOf(service.stores, sharedBiProxy);
    service.startWorkers();
    service.startWorkers();
  });

  for (const [how, isAtOnce] of [
    ['pushed in any order, an older order after later ones, are those of the reference halfway and at the end', false],
    ['pushed all at once are those of the reference', true],
  ] as const) {
    it(how, async () => {
      const histories = fc.array(historyArbitrary.map(withCustomers), { minLength: 4, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(histories, async (all) => {
          await Promise.all(
            all.map(async (history) => {
              const shop = await service.shop({ timezone: history.zone });
              const batches = batchesOf(history);
              const checkAfter = async (count: number): Promise<void> => {
                await service.settled();
                await check(shop, placedOrders(newestPushes(batches.slice(0, count).flat()), history.zone));
              };
              const push = async (orders: object[]): Promise<void> => {
                const { status, body } = await shop.call('POST', '/v1/orders', { orders });
                expect([status, body.rejected]).to.deep.equal([200, 0]);
              };
              if (isAtOnce) await Promise.all(batches.map(push));
              else {
                for (const [i, batch] of batches.entries()) {
                  await push(batch);
                  if (i === batches.length >> 1) await checkAfter(i + 1);
                }
              }
              await checkAfter(batches.length);
            }),
          );
        }),
        { numRuns: runs(1), endOnFailure: true },
      );
    });
  }

  async function check(shop: Shop, orders: readonly PlacedOrder[]): Promise<void> {
    await checkNumbers(shop, orders);
    await checkMonths(shop, YEARS, orders);
    for (const [from, to] of RANGES) {
      const range = `from=${from}&to=${to}`;
      const placed = orders.filter(({ day }) => from <= day && day <= to);
      const { customers } = await read(shop, `/v1/metrics?${range}&include=customers`);
      expect(figures(customers), `${shop.id} ${range}`).to.deep.equal(wantedFigures(placed));
      await checkMonths(shop, range, placed);
      for (const kind of ['new', 'returning', 'unknown'] as const) {
        const list = await read(shop, `/v1/orders?${range}&customer=${kind}&limit=250`);
        const wanted = placed.filter((order) => order.kind === kind);
        const ids = list.orders.map(({ order_id }: any) => order_id);
        expect(ids, `${shop.id} ${range} ${kind}`).to.have.members(wanted.map(({ id }) => id));
        expect(Big(list.totals.profit).toFixed(), `${shop.id} ${range} ${kind}`).to.equal(sumOf(wanted, 'profit'));
      }
      for (const by of ['month', 'quarter']) {
        const { cohorts } = await read(shop, `/v1/customers/cohorts?${range}&by=${by}`);
        for (const cohort of cohorts) checkCohort(shop, cohort, orders);
        const shown = cohorts.reduce((sum: number, cohort: any) => sum + Number(cohort.customers), 0);
        expect(shown, `${shop.id} ${range} by ${by}`).to.equal(placed.filter(({ kind }) => kind === 'new').length);
      }
    }
  }

  async function checkMonths(shop: Shop, range: string, placed: readonly PlacedOrder[]): Promise<void> {
    const { days } = await read(shop, `/v1/metrics/daily?${range}&by=month&include=customers`);
    for (const month of days) {
      const own = placed.filter(({ day }) => day.slice(0, 7) === month.date.slice(0, 7));
      expect(figures(month.customers), `${shop.id} ${range} ${month.date}`).to.deep.equal(wantedFigures(own));
    }
  }

  /** The views for analysts number the same orders, and a filter changes no number. */
  async function checkNumbers(shop: Shop, orders: readonly PlacedOrder[]): Promise<void> {
    const [from, to] = RANGES[1];
    for (const [where, isOf] of [
      ['true', () => true],
      [`placed_day BETWEEN '${from}' AND '${to}'`, ({ day }) => from <= day && day <= to],
      ["customer_id = 'c-1'", ({ customer }) => customer === 'c-1'],
      ['customer_id IS NULL', ({ customer }) => customer === undefined],
      ['is_first_order', ({ kind }) => kind === 'new'],
    ] as const satisfies readonly [string, (order: PlacedOrder) => boolean][]) {
      const numbers = 'order_id, customer_order_number AS number, is_first_order AS first';
      const seen = await rows(shop, `SELECT ${numbers}, net_revenue FROM bi.customer_orders WHERE ${where}`);
      const wanted = orders.filter(isOf).map(({ id, number, kind, netRevenue }) => ({
        order_id: id,
        number: number === null ? null : String(number),
        first: kind === 'unknown' ? null : kind === 'new',
        net_revenue: netRevenue.toFixed(),
      }));
      expect(seen, `${shop.id} ${where}`).to.have.deep.members(wanted);
      const bare = wanted.map(({ net_revenue: _, ...of }) => of);
      for (const of of [`bi.order_profit WHERE ${where}`, `bi.orders WHERE counted AND (${where})`])
        expect(await rows(shop, `SELECT ${numbers} FROM ${of}`), `${shop.id} ${of}`).to.have.deep.members(bare);
    }
    const none =
      'SELECT count() AS n FROM bi.orders WHERE NOT counted AND NOT (customer_order_number IS NULL AND is_first_order IS NULL)';
    expect(await rows(shop, none), shop.id).to.deep.equal([{ n: '0' }]);
  }

  function checkCohort(shop: Shop, cohort: any, all: readonly PlacedOrder[]): void {
    const where = `${shop.id} cohort ${cohort.from}`;
    const orders = all.filter(
      ({ customer, firstDay }) => customer !== undefined && cohort.from <= firstDay && firstDay <= cohort.to,
    );
    expect(cohort.customers, where).to.equal(distinct(orders));
    const unknownOf = (own: readonly PlacedOrder[]) => ({
      orders_without_cost: own.filter(({ hasNoCost }) => hasNoCost).length,
      orders_without_fee: own.filter(({ hasNoFee }) => hasNoFee).length,
    });
    expect(cohort, where).to.include(unknownOf(orders));
    let payback: number | null = null;
    for (const month of cohort.months) {
      const own = orders.filter((order) => monthsAfter(order) === month.month);
      const until = orders.filter((order) => monthsAfter(order) <= month.month);
      if (payback === null && orders.length > 0 && Big(sumOf(until, 'profit')).gte(0)) payback = month.month;
      expect(amounts(month), `${where} month ${month.month}`).to.deep.equal({
        customers: distinct(own),
        orders: own.length,
        ...unknownOf(own),
        net_revenue: sumOf(own, 'netRevenue'),
        profit: sumOf(own, 'profit'),
        net_revenue_total: sumOf(until, 'netRevenue'),
        profit_total: sumOf(until, 'profit'),
      });
    }
    expect(cohort.payback_month, where).to.equal(payback);
  }

  async function read(shop: Shop, path: string): Promise<any> {
    const { status, body } = await shop.call('GET', path);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
});

const distinct = (orders: readonly PlacedOrder[]): number => new Set(orders.map(({ customer }) => customer)).size;
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
const monthsAfter = ({ day, firstDay }: PlacedOrder): number => monthOf(day) - monthOf(firstDay);
const plain = (value: unknown): unknown => (typeof value === 'string' ? Big(value).toFixed() : value);

const amounts = ({ month: _, ...of }: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, plain(value)]));
const figures = ({ cac: _, ...of }: Record<string, unknown>): Record<string, unknown> => amounts(of);

function wantedFigures(orders: readonly PlacedOrder[]) {
  const of = (kind: PlacedOrder['kind']): PlacedOrder[] => orders.filter((order) => order.kind === kind);
  return {
    new_customers: of('new').length,
    returning_customers: distinct(of('returning')),
    orders_new: of('new').length,
    orders_returning: of('returning').length,
    orders_unknown: of('unknown').length,
    net_revenue_new: sumOf(of('new'), 'netRevenue'),
    net_revenue_returning: sumOf(of('returning'), 'netRevenue'),
    profit_new: sumOf(of('new'), 'profit'),
    profit_returning: sumOf(of('returning'), 'profit'),
  };
}
