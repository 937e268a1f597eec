import { expect } from 'chai';
import fc from 'fast-check';
import { costHistoryArbitrary, HISTORY, type CostHistory, type CostPush } from '../support/cost-arbitrary.js';
import {
  daysOf,
  micros,
  referenceFigures,
  settle,
  wireMicros,
  type ReferenceFigures,
  type ReferenceState,
} from '../support/cost-reference.js';
import { runs } from '../support/runs.js';
import { startService, type Answer, type Service, type Shop } from '../support/service.js';

/** Histories of one run live in shops of their own and go side by side. */
const histories = fc.array(costHistoryArbitrary, { minLength: 10, maxLength: 10 });
const RUNS = runs(1);

describe('random costs', function () {
  this.timeout(600_000);
  let service: Service;

  before(async () => {
    service = await startService();
    service.startWorkers();
  });
  after(() => service.stop());

  it('give the figures of a naive exact reference, by day and over ranges', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (list) => {
        const shops = await Promise.all(list.map(send));
        await service.settled();
        for (const [i, history] of list.entries()) {
          const shop = shops[i];
          if (shop !== undefined) await check(shop, history);
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  async function send({ zone, pushes }: CostHistory): Promise<Shop> {
    const shop = await service.shop({ timezone: zone });
    for (const push of pushes) {
      const { status, body } = await request(shop, push);
      expect(status, JSON.stringify(body)).to.be.oneOf([200, 201, 204, 404]);
      if (push.kind !== 'expense' && push.kind !== 'rules')
        expect(body, JSON.stringify(body)).to.include({ rejected: 0 });
    }
    return shop;
  }

  async function check(shop: Shop, { zone, pushes, range }: CostHistory): Promise<void> {
    const state = settle(pushes);
    const { from, to } = HISTORY;
    const daily = (await shop.call('GET', `/v1/metrics/daily?from=${from}&to=${to}&include=expenses`)).body;
    const days = daysOf(from, to);
    expect(daily.days).to.have.length(days.length);
    for (const [i, day] of days.entries()) {
      expectFigures(daily.days[i], referenceFigures(state, zone, day, day), `${shop.id} on ${day}`);
    }
    for (const [first, last] of [[from, to], range] as [string, string][]) {
      const { body } = await shop.call('GET', `/v1/metrics?from=${first}&to=${last}&include=expenses`);
      expectFigures(body, referenceFigures(state, zone, first, last), `${shop.id} from ${first} to ${last}`);
      expect('currency_note' in body, `note from ${first} to ${last}`).to.equal(leftOut(state, first, last));
    }
  }
});

function request(shop: Shop, push: CostPush): Promise<Answer> {
  switch (push.kind) {
    case 'orders':
      return shop.call('POST', '/v1/orders', { orders: push.orders });
    case 'catalog':
      return shop.call('PUT', '/v1/products/costs', { costs: push.costs });
    case 'spend':
      return shop.call('POST', '/v1/costs/spend', { rows: push.rows });
    case 'rules':
      return shop.call('PUT', '/v1/costs/gateway-fees', { rules: push.rules });
    case 'expense':
      return push.expense === null
        ? shop.call('DELETE', `/v1/costs/expenses/${push.externalId}`)
        : shop.call('POST', '/v1/costs/expenses', push.expense);
  }
}

function expectFigures(got: Record<string, string>, wanted: ReferenceFigures, where: string): void {
  const { revenue, refunds, cogs, gatewayFees, adSpend, operating } = wanted;
  const profit = revenue - refunds - cogs - gatewayFees - adSpend;
  const names = {
    revenue,
    refunds,
    net_revenue: revenue - refunds,
    cogs,
    gateway_fees: gatewayFees,
    ad_spend: adSpend,
    net_profit: profit,
    operating_expenses: operating,
    net_profit_after_expenses: profit - operating,
  };
  for (const [name, value] of Object.entries(names)) {
    expect(wireMicros(got[name] ?? ''), `${name} ${where}`).to.equal(micros(value));
  }
  expect(got.orders, where).to.equal(wanted.orders);
}

function leftOut({ spend, expenses }: ReferenceState, from: string, to: string): boolean {
  const foreignSpend = [...spend.values()].some(
    (row) => row.currency !== 'EUR' && Number(row.spend) !== 0 && row.event_date >= from && row.event_date <= to,
  );
  const foreignExpense = [...expenses.values()].some((expense) => {
    const last = expense.frequency === 'one_time' ? expense.started_on : (expense.ended_on ?? to);
    return expense.currency !== 'EUR' && expense.started_on <= to && last >= from;
  });
  return foreignSpend || foreignExpense;
}
