import { Big } from 'big.js';
import { expect } from 'chai';
import fc from 'fast-check';
import type { RunningWorkers } from '../../workers/run-worker.js';
import { batchesOf, historyArbitrary, type History } from '../support/order-arbitrary.js';
import { newestPushes, referenceDays, type ReferenceDay } from '../support/order-reference.js';
import { runs } from '../support/runs.js';
import { useService, type Shop } from '../support/service.js';

const FROM = '2025-02-25';
const TO = '2026-01-10';
/** Histories of one run live in shops of their own and go side by side: more interleaving, less waiting. */
const histories = fc.array(historyArbitrary, { minLength: 8, maxLength: 8 });
const RUNS = runs(1);

async function side(histories: readonly History[], check: (history: History) => Promise<void>): Promise<void> {
  await Promise.all(histories.map(check));
}

describe('random order histories', function () {
  this.timeout(600_000);
  const service = useService();

  before(() => {
    service.startWorkers();
    service.startWorkers();
  });

  async function expectFigures(shop: Shop, reference: Map<string, ReferenceDay>): Promise<void> {
    const { body } = await shop.call('GET', `/v1/metrics/daily?from=${FROM}&to=${TO}`);
    const days = body.days as Record<string, string | number>[];
    const total = { orders: 0, net_profit: Big(0) };
    for (const day of days) {
      const wanted = reference.get(String(day.date));
      const fixed = (value: Big | undefined): string => (value ?? Big(0)).round(6, Big.roundHalfUp).toFixed();
      const got = (name: string): string => Big(String(day[name])).toFixed();
      expect(
        {
          orders: day.orders,
          revenue: got('revenue'),
          refunds: got('refunds'),
          cogs: got('cogs'),
          fees: got('gateway_fees'),
        },
        `${shop.id} on ${String(day.date)}`,
      ).to.deep.equal({
        orders: wanted?.orders ?? 0,
        revenue: fixed(wanted?.revenue),
        refunds: fixed(wanted?.refunds),
        cogs: fixed(wanted?.cogs),
        fees: fixed(wanted?.gatewayFees),
      });
    }
    for (const { orders, revenue, refunds, cogs, gatewayFees } of reference.values()) {
      total.orders += orders;
      total.net_profit = total.net_profit.plus(revenue).minus(refunds).minus(cogs).minus(gatewayFees);
    }
    const { body: metrics } = await shop.call('GET', `/v1/metrics?from=${FROM}&to=${TO}`);
    expect(metrics.orders).to.equal(total.orders);
    expect(Big(metrics.net_profit).toFixed()).to.equal(total.net_profit.round(6, Big.roundHalfUp).toFixed());
  }

  it('sent one after the other have the outcomes and figures of the reference', async () => {
    await fc.assert(
      fc.asyncProperty(histories, (all) =>
        side(all, async (history) => {
          const shop = await service.shop({ timezone: history.zone });
          const newest = new Map<string, string>();
          for (const batch of batchesOf(history)) {
            const { status, body } = await shop.call('POST', '/v1/orders', { orders: batch });
            expect(status).to.equal(200);
            const wanted = batch.map(({ order_id, updated_at = '' }) => {
              const stale = updated_at < (newest.get(order_id) ?? '');
              if (!stale) newest.set(order_id, updated_at);
              return { order_id, outcome: stale ? 'superseded' : 'accepted' };
            });
            const got = body.results.map(({ order_id, outcome }: { order_id: string; outcome: string }) => ({
              order_id,
              outcome,
            }));
            expect(got).to.deep.equal(wanted);
          }
          await service.settled();
          await expectFigures(shop, referenceDays(newestPushes(history.pushes), history.zone));
        }),
      ),
      { numRuns: RUNS },
    );
  });

  it('sent all at once, with three sets of workers, have the figures of the reference', async () => {
    await fc.assert(
      fc.asyncProperty(histories, (all) =>
        side(all, async (history) => {
          const shop = await service.shop({ timezone: history.zone });
          const answers = await Promise.all(
            batchesOf(history).map((orders) => shop.call('POST', '/v1/orders', { orders })),
          );
          for (const { status, body } of answers) expect([status, body.rejected]).to.deep.equal([200, 0]);
          await service.settled();
          await expectFigures(shop, referenceDays(newestPushes(history.pushes), history.zone));
        }),
      ),
      { numRuns: RUNS },
    );
  });

  it('pushed while workers come and go lose nothing and count nothing twice', async () => {
    const extra: RunningWorkers[] = [];
    await fc.assert(
      fc.asyncProperty(histories, (all) =>
        side(all, async (history) => {
          const shop = await service.shop({ timezone: history.zone });
          for (const [i, orders] of batchesOf(history).entries()) {
            if (i % 3 === 0) extra.push(service.startWorkers());
            if (i % 3 === 2) await extra.pop()?.stop();
            await shop.call('POST', '/v1/orders', { orders });
          }
          await service.settled();
          await expectFigures(shop, referenceDays(newestPushes(history.pushes), history.zone));
        }),
      ),
      { numRuns: RUNS },
    );
  });
});
