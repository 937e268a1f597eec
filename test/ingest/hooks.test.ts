import { expect } from 'chai';
import fc from 'fast-check';
import { itemsOfValues } from '../../src/body/items.js';
import { NEVER_YIELDS } from '../../src/body/yielding.js';
import { readVersion } from '../../src/domain/orders/orders.js';
import { createShopifyHookIntake } from '../../src/ingest/shopify-hooks.js';
import { shopifyModel, shopifyOrder } from '../convert/shopify-model.js';
import { wooModel, wooOrder } from '../convert/woocommerce-model.js';
import { runs } from '../support/runs.js';
import { sender, startOrderIntake } from './order-intake.js';

/** Seconds and milliseconds between the states of an order: some are of one second. */
const steps = fc.array(fc.integer({ min: 1, max: 1_500 }), { minLength: 1, maxLength: 5 });
/** In which order the hooks of so many states arrive: each once at least. */
const arrivals = (states: number) =>
  fc
    .tuple(
      fc.shuffledSubarray([...Array(states).keys()], { minLength: states }),
      fc.array(fc.nat(states - 1), { maxLength: 4 }),
    )
    .chain(([all, again]) => {
      const list = [...all, ...again];
      return fc.shuffledSubarray([...list.keys()], { minLength: list.length }).map((at) => at.map((i) => list[i] ?? 0));
    });
const histories = steps.chain((gaps) => fc.tuple(fc.constant(gaps), arrivals(gaps.length)));

const BEGIN = Date.parse('2026-04-10T19:15:00Z');
const momentsOf = (gaps: readonly number[]): number[] =>
  gaps.map((_, i) => BEGIN + gaps.slice(0, i + 1).reduce((a, b) => a + b, 0));
const wholeSecond = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

describe('hooks of an order that arrive in any order, and repeated', function () {
  this.timeout(60_000);

  it('of Shopify end in the state of the last one', () =>
    fc.assert(
      fc.asyncProperty(shopifyModel, histories, async (model, [gaps, order]) => {
        const moments = momentsOf(gaps);
        // Each state is the order with one refund more, and the last one says which it is.
        const bodies = moments.map((ms, i) => ({
          ...shopifyOrder({ ...model, refunds: model.refunds.slice(0, i) }).order,
          updated_at: wholeSecond(ms),
          name: `#${i}`,
        }));
        const { takeOrders, deleteOrder, sources, now } = await startOrderIntake();
        const take = createShopifyHookIntake({ takeOrders, deleteOrder, sources, now });
        let last = -1;
        for (const i of order) {
          const hook = {
            bytes: Buffer.from(JSON.stringify(bodies[i])),
            topic: 'orders/updated',
            triggeredAt: new Date(moments[i] ?? 0).toISOString(),
          };
          const outcome = await take(sender, hook, NEVER_YIELDS);
          expect(outcome).to.be.oneOf(['accepted', 'superseded']);
          if (outcome === 'accepted') last = i;
        }
        expect(last).to.equal(gaps.length - 1);
      }),
      { numRuns: runs(60) },
    ));

  it('of WooCommerce end in the state of the last second that was read', () =>
    fc.assert(
      fc.asyncProperty(wooModel, histories, async (model, [gaps, order]) => {
        const moments = momentsOf(gaps);
        const { takeOrders } = await startOrderIntake();
        let last = -1;
        for (const i of order) {
          const state = { ...model, currency: 'EUR' as const, rate: undefined, refunds: model.refunds.slice(0, i) };
          const { order: body, refunds } = wooOrder(state);
          // A state of a later second each: of one second it is the one that was read last.
          const modified = wholeSecond((moments[i] ?? 0) + i * 1_000);
          const value = { order: { ...body, date_modified_gmt: modified }, refunds };
          const { results } = await takeOrders(sender, itemsOfValues([value]), {
            validateOnly: false,
            yielder: NEVER_YIELDS,
            platform: 'woocommerce',
            versionOf: readVersion,
          });
          expect(results[0]?.outcome, JSON.stringify(results)).to.be.oneOf(['accepted', 'superseded']);
          if (results[0]?.outcome === 'accepted') last = i;
        }
        expect(last).to.equal(gaps.length - 1);
      }),
      { numRuns: runs(60) },
    ));
});
