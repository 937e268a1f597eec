import { expect } from 'chai';
import { paidOrder } from '../../support/paid-order.js';
import { useService, type Shop } from '../../support/service.js';

const WEEK = 'from=2026-03-01&to=2026-03-07';

/** What a shop was answered, and a moment after which nothing changed before it was. */
interface Seen {
  moment: string;
  answers: Map<string, unknown>;
}

const moment = (): string => new Date().toISOString();
const then = (path: string, asOf: string): string => `${path}&as_of=${asOf}`;

describe('figures as of a moment', () => {
  const service = useService();

  async function ask(shop: Shop, paths: readonly string[]): Promise<Map<string, unknown>> {
    const answers = new Map<string, unknown>();
    for (const path of paths) answers.set(path, (await shop.call('GET', path)).body);
    return answers;
  }

  const order = (fields: object): object =>
    paidOrder('o', { line_items: [{ line_id: '1', quantity: '1', unit_price: '10', sku: 'A' }], ...fields });

  it('are zero before the first push, in the currency of then', async () => {
    const shop = await service.shop({ currency: 'USD' });
    const early = moment();
    await shop.call('PUT', '/v1/source', { platform: 'p', currency: 'EUR', timezone: 'UTC' });
    await shop.call('POST', '/v1/orders', { orders: [order({})] });
    await service.settled();
    const path = `/v1/metrics?${WEEK}`;
    expect((await shop.call('GET', path)).body).to.include({ currency: 'EUR', revenue: '10.00', orders: 1 });
    const { body } = await shop.call('GET', then(path, early));
    expect(body).to.include({ currency: 'USD', revenue: '0.00', orders: 0, aov: null });
    const before = (await shop.call('GET', then(path, new Date(Date.now() - 399 * 86_400_000).toISOString()))).body;
    expect(before).to.include({ currency: 'EUR', revenue: '0.00' });
  });

  it('of a moment that just passed stay what they were first answered', async () => {
    const shop = await service.shop();
    for (let i = 0; i < 2; i++) {
      const pushed = shop.call('POST', '/v1/orders', { orders: [order({ order_id: `o-${i}` })] });
      const at = moment();
      const first = await shop.call('GET', then(`/v1/metrics?${WEEK}`, at));
      await pushed;
      await service.settled();
      expect((await shop.call('GET', then(`/v1/metrics?${WEEK}`, at))).body).to.deep.equal(first.body);
    }
  });

  it('show orders that moved or were voided, and prices that were taken back', async () => {
    const shop = await service.shop();
    const steps = [
      () => shop.call('POST', '/v1/orders', { orders: [order({ updated_at: '2026-03-01T12:00:01Z' })] }),
      () => shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'A', unit_cost: '3' }] }),
      () => shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'A', unit_cost: '3', deleted: true }] }),
      () =>
        shop.call('POST', '/v1/orders', {
          orders: [order({ updated_at: '2026-03-01T12:00:02Z', placed_at: '2026-03-02T12:00:00Z' })],
        }),
      () =>
        shop.call('POST', '/v1/orders', { orders: [order({ updated_at: '2026-03-01T12:00:03Z', status: 'voided' })] }),
    ];
    const paths = [`/v1/metrics/daily?${WEEK}`];
    const seen: Seen[] = [];
    for (const step of steps) {
      expect((await step()).status).to.equal(200);
      await service.settled();
      seen.push({ answers: await ask(shop, paths), moment: moment() });
    }
    expect(seen.map(({ answers }) => JSON.stringify(answers.get(paths[0] ?? '')))).to.satisfy(
      (texts: string[]) => new Set(texts).size >= 3,
    );
    for (const { answers, moment: at } of seen) {
      for (const [path, wanted] of answers) {
        expect((await shop.call('GET', then(path, at))).body, path).to.deep.equal(wanted);
      }
    }
  });

  it('refuse a moment that does not exist, lies in the future, or is no longer kept', async () => {
    const shop = await service.shop();
    const days = (count: number): string => new Date(Date.now() + count * 86_400_000).toISOString();
    for (const path of ['/v1/metrics', '/v1/metrics/daily']) {
      for (const asOf of ['', 'yesterday', '2026-03-01', '2026-03-01T12:00:00', days(1), days(-401)]) {
        const { status, body } = await shop.call('GET', then(`${path}?${WEEK}`, asOf));
        expect(status, asOf).to.equal(400);
        expect(body.errors, asOf).to.have.length(1);
        expect(body.errors[0], asOf).to.include({ code: 'invalid_range', field: 'as_of' });
      }
    }
    const { body } = await shop.call('GET', '/v1/metrics?from=x&as_of=y&include=z');
    expect(body.errors).to.have.length(3);
  });

  for (const [path, what, wrong] of [
    ['/v1/products', 'products', 'sort=size'],
    ['/v1/attribution', 'channels', 'model=size'],
  ] as const)
    it(`do not exist for ${what}, which show the state of today`, async () => {
      const shop = await service.shop();
      const { status, body } = await shop.call('GET', then(`${path}?${WEEK}&${wrong}`, moment()));
      expect(status).to.equal(400);
      expect(body.errors).to.deep.include({
        code: 'unknown_field',
        message: `as_of is not a parameter of this request: ${what} show today's state; remove it.`,
        field: 'as_of',
      });
      expect(body.errors).to.have.length(2);
    });

  it('of one shop contain nothing of another shop', async () => {
    const [shop, other] = await Promise.all([service.shop(), service.shop()]);
    await shop.call('POST', '/v1/orders', { orders: [order({})] });
    await shop.call('PUT', '/v1/costs/gateway-fees', { rules: [{ payment_gateway: 'p', percent: '1', fixed: '1' }] });
    await service.settled();
    const at = moment();
    for (const path of ['/v1/metrics', '/v1/metrics/daily']) {
      const question = `${path}?${WEEK}`;
      const { body } = await other.call('GET', then(question, at));
      expect(body).to.deep.equal((await other.call('GET', question)).body);
    }
  });
});
