import { expect } from 'chai';
import type { OrderInput } from '../../src/domain/orders/orders.js';
import { HISTORY, type CostHistory } from '../support/cost-arbitrary.js';
import {
  micros,
  orderFigures,
  referenceFigures,
  settle,
  wireMicros,
  type ReferenceState,
} from '../support/cost-reference.js';
import { referenceDay } from '../support/order-reference.js';
import { checkPushedHistories } from '../support/pushed-histories.js';
import { useService, type Shop } from '../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

describe('GET /v1/orders over random histories', function () {
  this.timeout(600_000);
  const service = useService();

  const ids = (body: any): string[] => body.orders.map((order: any) => order.order_id);
  it('gives each order as the reference has it, and totals that equal the metrics without ad spend', () =>
    checkPushedHistories(service, 8, check));

  async function check(own: Shop, { zone, pushes }: CostHistory): Promise<void> {
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
  }

  function amounts(of: any): bigint[] {
    return [of.revenue, of.refunds, of.cogs, of.gateway_fees, of.profit, of.taxes, of.earnings].map(wireMicros);
  }

  function reference(state: ReferenceState, zone: string, orders: OrderInput[]): bigint[] {
    const own = { ...state, orders, spend: new Map(), expenses: new Map() };
    return orderFigures(referenceFigures(own, zone, HISTORY.from, HISTORY.to)).map(micros);
  }
});
