import { expect } from 'chai';
import type { OrderInput } from '../../src/domain/orders/orders.js';
import { HISTORY, type CostHistory } from '../support/cost-arbitrary.js';
import { micros, orderFigures, referenceFigures, settle, wireMicros } from '../support/cost-reference.js';
import { referenceDay } from '../support/order-reference.js';
import { checkPushedHistories } from '../support/pushed-histories.js';
import { useService, type Shop } from '../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

describe('GET /v1/orders/{order_id} over random histories', function () {
  this.timeout(600_000);
  const service = useService();

  async function get(shop: Shop, id: string): Promise<any> {
    const { status, body } = await shop.call('GET', `/v1/orders/${encodeURIComponent(id)}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }

  it('gives the figures of the reference, by day too', () => checkPushedHistories(service, 6, check));

  async function check(own: Shop, { zone, pushes }: CostHistory): Promise<void> {
    const state = settle(pushes);
    for (const sent of state.orders) {
      const got = await get(own, sent.order_id);
      const alone = { ...state, orders: [sent], spend: new Map(), expenses: new Map() };
      const figures = (from: string, to: string): bigint[] =>
        orderFigures(referenceFigures(alone, zone, from, to)).map(micros);
      const where = `${own.id} ${sent.order_id}`;
      expect(amounts({ ...got, refunds: got.refunded }), where).to.deep.equal(figures(HISTORY.from, HISTORY.to));
      expect(
        got.days.map((day: any) => day.date),
        where,
      ).to.deep.equal(got.counted ? daysOf(sent, zone) : []);
      for (const day of got.days)
        expect(amounts(day), `${where} ${day.date}`).to.deep.equal(figures(day.date, day.date));
      expect(got.deleted).to.equal(sent.deleted === true);
    }
  }

  function daysOf(sent: OrderInput, zone: string): string[] {
    const times = [sent.placed_at, ...(sent.refunds ?? []).map((refund) => refund.refunded_at)];
    return [...new Set(times.map((time) => referenceDay(time, zone)))].sort();
  }

  function amounts(of: any): bigint[] {
    return [of.revenue, of.refunds, of.cogs, of.gateway_fees, of.profit, of.taxes, of.earnings].map(wireMicros);
  }
});
