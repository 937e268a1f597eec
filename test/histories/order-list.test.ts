import { expect } from 'chai';
import type { OrderInput } from '../../src/domain/orders/orders.js';
import { BreakdownRow, DIMENSIONS, type Dimension } from '../../src/schemas/breakdown.js';
import { referenceGroups, withFacts } from '../support/breakdown-reference.js';
import { HISTORY, type CostHistory } from '../support/cost-arbitrary.js';
import {
  micros,
  orderFigures,
  referenceFigures,
  settle,
  wireMicros,
  type ReferenceState,
} from '../support/cost-reference.js';
import { checkDayTotals } from '../support/day-totals.js';
import { download, readCsv, type FileRow } from '../support/exported.js';
import { referenceDay } from '../support/order-reference.js';
import { checkPushedHistories } from '../support/pushed-histories.js';
import { useService, type Shop } from '../support/service.js';

const FIGURES = Object.keys(BreakdownRow.properties).filter((name) => name !== 'key' && name !== 'name') as (keyof Omit<
  BreakdownRow,
  'key' | 'name'
>)[];

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

describe('GET /v1/orders and /v1/breakdown over random histories', function () {
  this.timeout(600_000);
  const service = useService();

  const ids = (body: any): string[] => body.orders.map((order: any) => order.order_id);
  it('give each order and row as the reference has it, and totals that equal the metrics without ad spend', () =>
    checkPushedHistories(service, 8, check, withFacts));

  async function check(own: Shop, { zone, pushes, range }: CostHistory): Promise<void> {
    const state = settle(pushes);
    const { from, to } = HISTORY;
    const { body } = await own.call('GET', `/v1/orders?from=${from}&to=${to}`);
    const live = state.orders.filter((order) => order.deleted !== true);
    expect(ids(body)).to.have.members(live.map((order) => order.order_id));
    const { body: gone } = await own.call('GET', `/v1/orders?from=${from}&to=${to}&status=deleted`);
    const deleted = state.orders.filter((order) => order.deleted === true);
    expect(ids(gone)).to.have.members(deleted.map((order) => order.order_id));
    for (const order of live) {
      const got = body.orders.find((one: any) => one.order_id === order.order_id);
      expect(got.day).to.equal(referenceDay(order.placed_at, zone));
      expect(amounts(got), `${own.id} ${order.order_id}`).to.deep.equal(reference(state, zone, [order]));
      const { body: alone } = await own.call('GET', `/v1/orders?from=${got.day}&to=${got.day}&missing_cost=1`);
      expect(ids(alone).includes(order.order_id), order.order_id).to.equal(got.counted && !got.cogs_complete);
    }
    const times = body.orders.map((order: any) => order.placed_at);
    expect(times).to.deep.equal([...times].sort().reverse());
    expect(amounts(body.totals), own.id).to.deep.equal(reference(state, zone, live));
    const placed = body.orders.map(({ day }: any) => day);
    await checkDayTotals(service.stores.warehouse, own.id, range, placed);
    await checkDayTotals(service.stores.warehouse, own.id, [from, to], []);

    const { body: metrics } = await own.call('GET', `/v1/metrics?from=${from}&to=${to}&include=coverage,statement`);
    const { body: missing } = await own.call('GET', `/v1/orders?from=${from}&to=${to}&missing_cost=1`);
    expect(missing.totals.revenue).to.equal(metrics.coverage.revenue_without_cost);
    for (const name of ['orders', 'revenue', 'refunds', 'cogs', 'gateway_fees']) {
      expect(body.totals[name], `${own.id} ${name}`).to.equal(metrics[name]);
    }
    for (const name of ['orders_without_cost', 'orders_without_fee']) {
      expect(body.totals[name], `${own.id} ${name}`).to.equal(metrics.coverage[name]);
    }
    for (const name of ['taxes', 'fulfillment_costs']) {
      expect(body.totals[name], `${own.id} ${name}`).to.equal(metrics.statement[name]);
    }

    const counted = live.filter((order) => order.status === 'paid' && order.is_test !== true);
    const days = new Map(
      counted.map((order) => [order.order_id, body.orders.find((one: any) => one.order_id === order.order_id)]),
    );
    const figures = new Map(counted.map((order) => [order, exact(state, zone, [order])]));
    for (const by of DIMENSIONS) await checkRows(own, by, [from, to], counted);
    const few = counted.filter(
      ({ order_id }) => range[0] <= days.get(order_id).day && days.get(order_id).day <= range[1],
    );
    await checkRows(own, 'tag', range, few);

    async function checkRows(
      shop: Shop,
      dimension: Dimension,
      [first, last]: readonly [string, string],
      orders: OrderInput[],
    ) {
      const asked = `from=${first}&to=${last}`;
      const where = `${shop.id} by ${dimension} ${asked}`;
      const { rows, answer } = await pages(
        shop,
        `/v1/breakdown?by=${dimension}&${asked}&sort=profit&order=asc&limit=2`,
      );
      const groups = referenceGroups(orders, dimension);
      expect(
        rows.map(({ key }) => key),
        where,
      ).to.have.members([...groups.keys()]);
      expect(answer.count, where).to.equal(groups.size);
      for (const row of rows) {
        const group = groups.get(row.key);
        const sums = (group?.orders ?? []).map((order) => figures.get(order) ?? []);
        const wanted = [0, 1, 2, 3, 4].map((i) => sums.reduce((sum, amounts) => sum + (amounts[i] ?? 0n), 0n));
        expect(
          [row.revenue, row.refunds, row.cogs, row.gateway_fees, row.profit].map(wireMicros),
          `${where} ${row.key}`,
        ).to.deep.equal(wanted.map(micros));
        expect(wireMicros(row.net_revenue), where).to.equal(wireMicros(row.revenue) - wireMicros(row.refunds));
        expect([row.orders, row.name ?? row.key], `${where} ${row.key}`).to.deep.equal([
          group?.orders.length,
          group?.name,
        ]);
        const costed = group?.orders.filter(({ order_id }) => days.get(order_id).cogs_complete).length ?? 0;
        expect(row.cogs_complete === 100, where).to.equal(costed === row.orders);
        const feeless = group?.orders.filter(({ order_id }) => days.get(order_id).fee_source === 'none');
        expect(row.orders_without_fee, where).to.equal(feeless?.length);
      }
      const path = `/v1/breakdown?by=${dimension}&${asked}&sort=profit&order=asc`;
      const file = readCsv(await download(service, path, shop.key, 'csv'));
      expect(file.map(figuresOf), where).to.deep.equal(rows.map(figuresOf));
      const profits = rows.map(({ profit }) => wireMicros(profit));
      expect(profits, where).to.deep.equal(profits.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
      const { totals } = (await shop.call('GET', `/v1/orders?${asked}`)).body;
      for (const name of ['orders', 'orders_without_fee', 'revenue', 'refunds', 'cogs', 'gateway_fees', 'profit']) {
        expect(answer.totals[name], `${where} ${name}`).to.equal(totals[name]);
      }
    }
  }

  /** Of a row of JSON or of a file: all but what a spreadsheet has in other words. */
  const figuresOf = ({ key, ...row }: Partial<BreakdownRow> | FileRow): string[] => [
    String(key === null),
    ...FIGURES.map((name) => String(row[name])),
  ];

  async function pages(shop: Shop, path: string): Promise<{ rows: BreakdownRow[]; answer: any }> {
    const rows: BreakdownRow[] = [];
    for (let cursor = ''; ;) {
      const { status, body } = await shop.call('GET', path + cursor);
      expect(status, JSON.stringify(body)).to.equal(200);
      rows.push(...(body.rows as BreakdownRow[]));
      if (body.next === undefined) return { rows, answer: body };
      cursor = `&cursor=${String(body.next)}`;
    }
  }

  function amounts(of: any): bigint[] {
    return [of.revenue, of.refunds, of.cogs, of.gateway_fees, of.profit, of.taxes, of.earnings].map(wireMicros);
  }

  function reference(state: ReferenceState, zone: string, orders: OrderInput[]): bigint[] {
    return exact(state, zone, orders).map(micros);
  }

  function exact(state: ReferenceState, zone: string, orders: OrderInput[]): bigint[] {
    const own = { ...state, orders, spend: new Map(), expenses: new Map() };
    return orderFigures(referenceFigures(own, zone, HISTORY.from, HISTORY.to));
  }
});
