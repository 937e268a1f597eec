import { expect } from 'chai';
import fc from 'fast-check';
import { PRODUCT_SORTS, type Product } from '../../src/schemas/products.js';
import { costHistoryArbitrary, HISTORY, type CostHistory } from '../support/cost-arbitrary.js';
import { micros, referenceFigures, settle, wireMicros } from '../support/cost-reference.js';
import { sendCostPush } from '../support/cost-requests.js';
import { newestPushes } from '../support/order-reference.js';
import { referenceProducts, type ReferenceProduct } from '../support/product-reference.js';
import { runs } from '../support/runs.js';
import { useService, type Shop } from '../support/service.js';

/** Few ids, so that orders are sent again with other lines on other days. */
const history = costHistoryArbitrary.map(({ pushes, ...rest }): CostHistory => {
  let sent = 0;
  const again = pushes.map((push) =>
    push.kind === 'orders'
      ? { ...push, orders: push.orders.map((order) => ({ ...order, order_id: `o-${sent++ % 6}` })) }
      : push,
  );
  return { ...rest, pushes: again };
});
const histories = fc.array(history, { minLength: 8, maxLength: 8 });

describe('products of random histories', function () {
  this.timeout(600_000);
  const service = useService();

  before(() => {
    service.startWorkers();
  });

  async function pages(shop: Shop, query: string): Promise<Product[]> {
    const all: Product[] = [];
    for (let cursor = ''; ;) {
      const { status, body } = await shop.call('GET', `/v1/products?${query}${cursor}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      all.push(...(body.products as Product[]));
      if (body.next === undefined) return all;
      cursor = `&cursor=${String(body.next)}`;
    }
  }

  it('give the figures of a naive exact reference over random histories, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (list) => {
        const shops = await Promise.all(list.map(send));
        await service.settled();
        for (const [i, item] of list.entries()) {
          const shop = shops[i];
          if (shop !== undefined) await check(shop, item);
        }
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  });

  async function send({ zone, pushes }: CostHistory): Promise<Shop> {
    const shop = await service.shop({ timezone: zone });
    for (const push of pushes) {
      const { body } = await sendCostPush(shop, push);
      if (push.kind === 'orders') expect(body, JSON.stringify(body)).to.include({ accepted: 1 });
    }
    return shop;
  }

  async function check(shop: Shop, { zone, pushes, range }: CostHistory): Promise<void> {
    const state = settle(pushes);
    state.orders = newestPushes(state.orders);
    for (const [from, to] of [[HISTORY.from, HISTORY.to], range] as [string, string][]) {
      const wanted = referenceProducts(state, zone, from, to);
      const query = `from=${from}&to=${to}&limit=2`;
      const where = `${shop.id} from ${from} to ${to}`;
      const all = await pages(shop, query);
      expect(all.map(({ sku }) => sku).sort(), where).to.deep.equal([...wanted.keys()].sort());
      for (const item of all) expectProduct(item, wanted.get(item.sku), where);
      expectOrder(all, (item) => wanted.get(item.sku)?.revenue ?? 0n);
      for (const sort of from === HISTORY.from ? PRODUCT_SORTS : []) {
        expect((await pages(shop, `${query}&sort=${sort}`)).map(({ sku }) => sku).sort()).to.deep.equal(
          all.map(({ sku }) => sku).sort(),
        );
      }
      const missing = await pages(shop, `${query}&missing_cost=1`);
      const unpriced = [...wanted].filter(([, item]) => item.uncostedLines > 0).map(([sku]) => sku);
      expect(missing.map(({ sku }) => sku).sort(), where).to.deep.equal(unpriced.sort());
      expectOrder(missing, (item) => wanted.get(item.sku)?.revenueWithoutCost ?? 0n);

      const cogs = [...wanted.values()].reduce((sum, item) => sum + item.cogs, 0n);
      expect(micros(cogs), where).to.equal(micros(referenceFigures(state, zone, from, to).cogs));
      const { body } = await shop.call('GET', `/v1/metrics?from=${from}&to=${to}`);
      expect(wireMicros(String(body.cogs)), where).to.equal(micros(cogs));
      const { body: page } = await shop.call('GET', `/v1/products?${query}`);
      expect([page.count, wireMicros(String(page.totals.cogs))], where).to.deep.equal([wanted.size, micros(cogs)]);
      const back = [...wanted.values()].reduce((sum, item) => sum + item.refunds, 0n);
      expect(wireMicros(String(page.totals.refunds)), where).to.equal(micros(back));
      const { refunds } = referenceFigures(state, zone, from, to);
      expect(wireMicros(String(page.refunds_without_product)), where).to.equal(micros(refunds - back));
    }
  }
});

function expectProduct(got: Product, wanted: ReferenceProduct | undefined, where: string): void {
  if (wanted === undefined) throw new Error(`${String(got.sku)} is not sold ${where}`);
  const net = wanted.revenue - wanted.refunds;
  const names: Record<string, bigint> = {
    units_sold: wanted.unitsSold,
    units_refunded: wanted.unitsRefunded,
    gross_sales: wanted.revenue + wanted.discounts,
    discounts: wanted.discounts,
    revenue: wanted.revenue,
    refunds: wanted.refunds,
    cogs: wanted.cogs,
    units_without_cost: wanted.unitsWithoutCost,
    gross_profit: net - wanted.cogs,
    revenue_without_cost: wanted.revenueWithoutCost,
  };
  for (const [name, value] of Object.entries(names)) {
    expect(wireMicros(String(got[name as keyof Product])), `${name} of ${String(got.sku)} ${where}`).to.equal(
      micros(value),
    );
  }
  if (net === 0n || wanted.unitsWithoutCost !== 0n) expect(got.gross_margin, where).to.equal(null);
  else {
    const [num, den] = net < 0n ? [wanted.cogs - net, -net] : [net - wanted.cogs, net];
    const half = (size: bigint): bigint => (size * 2_000_000n + den) / (2n * den);
    expect(wireMicros(String(got.gross_margin)), where).to.equal(num < 0n ? -half(-num) : half(num));
  }
}

/** Largest first. */
function expectOrder(products: readonly Product[], value: (item: Product) => bigint): void {
  const values = products.map(value);
  expect(values).to.deep.equal(values.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0)));
}
