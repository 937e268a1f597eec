import { expect } from 'chai';
import fc from 'fast-check';
import type { ProductCostPreview } from '../../src/schemas/product-costs.js';
import {
  catalogItem,
  costHistoryArbitrary,
  HISTORY,
  type CatalogItem,
  type CostHistory,
} from '../support/cost-arbitrary.js';
import { daysOf, micros, referenceFigures, settle, wireMicros } from '../support/cost-reference.js';
import { sendCostPush } from '../support/cost-requests.js';
import { newestPushes } from '../support/order-reference.js';
import { referenceProducts } from '../support/product-reference.js';
import { runs } from '../support/runs.js';
import { useService, type Shop } from '../support/service.js';

const { from, to } = HISTORY;

/** Exact figures by a reference, in units that no division leaves. */
function referenceOf({ zone, pushes }: CostHistory) {
  const state = settle(pushes);
  state.orders = newestPushes(state.orders);
  return {
    cogs: referenceFigures(state, zone, from, to).cogs,
    days: daysOf(from, to).map((day) => referenceFigures(state, zone, day, day).cogs),
    products: referenceProducts(state, zone, from, to),
  };
}

interface RandomShop {
  history: CostHistory;
  costs: CatalogItem[];
}

function changeOf({ history, costs }: RandomShop) {
  const was = referenceOf(history);
  const is = referenceOf({ ...history, pushes: [...history.pushes, { kind: 'catalog', costs }] });
  return { was, is, differing: was.days.filter((cogs, day) => cogs !== is.days[day]).length };
}

/** What is pushed at last may remove and add versions from any day on, of one key several times. In one of the shops it changes a day. */
const shops = fc
  .array(
    fc.record<RandomShop>({
      history: costHistoryArbitrary,
      costs: fc.array(catalogItem, { minLength: 1, maxLength: 6 }),
    }),
    {
      minLength: 6,
      maxLength: 6,
    },
  )
  .filter((list) => list.some((shop) => changeOf(shop).differing > 0));

describe('the preview of a push of unit costs', function () {
  this.timeout(600_000);
  const service = useService();

  before(() => {
    service.startWorkers();
  });

  it('is exactly what the same push then changes, in random shops: in all, of each product, and of how many days', async () => {
    await fc.assert(
      fc.asyncProperty(shops, async (list) => {
        const sent = await Promise.all(list.map(async (one) => ({ ...one, shop: await send(one.history) })));
        await service.settled();
        const previewed = await Promise.all(sent.map(async (one) => ({ ...one, preview: await previewOf(one) })));
        await Promise.all(sent.map(({ shop, costs }) => sendCostPush(shop, { kind: 'catalog', costs })));
        await service.settled();
        for (const { history, costs, shop, preview } of previewed) {
          const { was, is, differing } = changeOf({ history, costs });
          expect(preview.days, shop.id).to.equal(differing);
          expect(wireMicros(preview.net_profit_change), shop.id).to.equal(micros(was.cogs - is.cogs));
          expect(preview.costs.map(({ sku }) => sku)).to.deep.equal([...new Set(costs.map(({ sku }) => sku))]);
          for (const { sku, net_profit_change } of preview.costs) {
            const change = (was.products.get(sku)?.cogs ?? 0n) - (is.products.get(sku)?.cogs ?? 0n);
            expect(wireMicros(net_profit_change), `${sku} of ${shop.id}`).to.equal(micros(change));
          }
          const { body } = await shop.call('GET', `/v1/metrics?from=${from}&to=${to}`);
          expect(wireMicros(String(body.cogs)), shop.id).to.equal(micros(is.cogs));
        }
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  });

  async function previewOf({ shop, costs }: { shop: Shop; costs: CatalogItem[] }): Promise<ProductCostPreview> {
    const { status, body } = await shop.call('PUT', '/v1/products/costs?validate_only=1', { costs });
    expect(status, JSON.stringify(body)).to.equal(200);
    return (body as { preview: ProductCostPreview }).preview;
  }

  async function send({ zone, pushes }: CostHistory): Promise<Shop> {
    const shop = await service.shop({ timezone: zone });
    for (const push of pushes) await sendCostPush(shop, push);
    return shop;
  }
});
