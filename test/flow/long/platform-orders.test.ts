import { expect } from 'chai';
import { casesOf } from '../../convert/cases.js';
import { useService, type Shop } from '../../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

const shopify = casesOf('shopify').filter(
  ({ input }) => input.format === 'shopify-rest' && input.options === undefined,
);
const isSold = (one: (typeof shopify)[number]): boolean => 'order' in one.expected;

describe('POST /v1/orders?format=', () => {
  const service = useService();

  const codes = ({ body }: any) =>
    body.results.map(({ order_id, outcome, errors }: any) => [order_id, outcome, errors?.[0].code]);
  const currencyOf = (order: any): string => order.currency;

  for (const platform of ['shopify', 'woocommerce'] as const) {
    it(`takes the orders of ${platform} as the converter has them, and rejects what it holds back by its code`, async () => {
      const cases =
        platform === 'shopify' ? shopify : casesOf(platform).filter(({ input }) => input.options === undefined);
      for (const currency of new Set(cases.map(({ input }) => currencyOf(input.order)))) {
        const own = cases.filter(({ input }) => currencyOf(input.order) === currency);
        const shop = await service.shop({ timezone: 'UTC', currency });
        // All cases are of orders with one id.
        const bodies = own.map(({ input: { order, refunds } }, i) => ({
          order: { ...(order as object), id: i + 1 },
          ...(refunds !== undefined && { refunds }),
        }));
        const { status, body } = await shop.call('POST', `/v1/orders?format=${platform}`, bodies);
        expect(status, JSON.stringify(body)).to.equal(200);
        await service.settled();
        for (const [i, { expected, name }] of own.entries()) {
          const result = body.results[i];
          if ('reason' in expected) {
            expect(result.outcome, name).to.equal('rejected');
            expect(result.errors[0].code, name).to.equal(expected.reason);
            continue;
          }
          expect(result.outcome, `${name}: ${JSON.stringify(result)}`).to.equal('accepted');
          const stored = (await shop.call('GET', `/v1/orders/${encodeURIComponent(result.order_id)}`)).body;
          // As the platform sent it, though its version lies later within the second.
          expect(Date.parse(stored.updated_at), name).to.equal(Date.parse((expected.order as any).updated_at));
        }
      }
    });
  }

  it('takes one order, { order }, { orders } and a list alike', async () => {
    const order = shopify.find(isSold)?.input.order as any;
    for (const body of [order, { order }, { orders: [order] }, [order]]) {
      const shop = await service.shop({ timezone: 'UTC', currency: order.currency });
      const answer = await shop.call('POST', '/v1/orders?format=shopify', body);
      expect(codes(answer)).to.deep.equal([[String(order.id), 'accepted', undefined]]);
    }
  });

  it('takes what was read within the second of an edit for newer than the edit', async () => {
    const order = shopify.find(isSold)?.input.order as any;
    const shop = await service.shop({ timezone: 'UTC', currency: order.currency });
    const answer = await shop.call('POST', '/v1/orders?format=shopify', order);
    expect(answer.body).to.include({ accepted: 1 });
    await service.settled();
    const { updated_at: at } = (await shop.call('GET', `/v1/orders/${order.id}`)).body;
    const item = (updated_at: string) => ({
      order_id: String(order.id),
      placed_at: at,
      updated_at,
      currency: order.currency,
      status: 'voided',
      total: '0',
      line_items: [{ line_id: '1', quantity: '1', unit_price: '0' }],
    });
    const later = `${at.slice(0, 19)}.500000Z`;
    const { body } = await shop.call('POST', '/v1/orders', { orders: [item(later)] });
    expect(body.results[0].outcome).to.equal('superseded');
    const read = { ...item(`${at.slice(0, 19)}Z`), total: '1' };
    read.line_items = [{ line_id: '1', quantity: '1', unit_price: '1' }];
    for (const [query, outcome] of [
      ['', 'superseded'],
      ['?whole_seconds=1', 'accepted'],
    ] as const) {
      const sent = await shop.call('POST', `/v1/orders${query}`, { orders: [read] });
      expect(sent.body.results[0].outcome, query).to.equal(outcome);
    }
    const again = await shop.call('POST', '/v1/orders?format=shopify', order);
    expect(codes(again)).to.deep.equal([[String(order.id), 'accepted', undefined]]);
    const next = new Date(Date.parse(at) + 1_000).toISOString();
    expect((await shop.call('POST', '/v1/orders', { orders: [item(next)] })).body.results[0].outcome).to.equal(
      'accepted',
    );
  });

  it('converts as the source says, which a registration without it leaves and null takes back', async () => {
    const order = shopify.find(isSold)?.input.order as any;
    const shop = await service.shop({ timezone: 'UTC', currency: order.currency });
    const source = (conversion?: unknown) =>
      shop.call('PUT', '/v1/source', {
        platform: 'shopify',
        currency: order.currency,
        timezone: 'UTC',
        ...(conversion !== undefined && { conversion }),
      });
    const open = { ...order, financial_status: 'pending', gateway: 'bogus' };
    const status = async () => {
      const { body } = await shop.call('POST', '/v1/orders?format=shopify', open);
      expect(body, JSON.stringify(body)).to.include({ accepted: 1 });
      await service.settled();
      return (await shop.call('GET', `/v1/orders/${order.id}`)).body.status;
    };
    expect(await status()).to.equal('pending');
    const conversion = { count: 'placed', statuses: { shipped: 'paid' }, gift_card_skus: ['GC'], restock: true };
    expect((await source(conversion)).body.conversion).to.deep.equal(conversion);
    expect(await status()).to.equal('paid');
    expect((await source()).body.conversion).to.deep.equal(conversion);
    expect((await shop.call('GET', '/v1/source')).body.conversion).to.deep.equal(conversion);
    expect((await source(null)).body).not.to.have.property('conversion');
    expect(await status()).to.equal('pending');
    const { body } = await source({ count: 'sent', rate: { currency: 'EUR', value: 2 }, what: 1 });
    expect(body.errors.map(({ code, field }: any) => [code, field])).to.have.deep.members([
      ['unknown_field', 'conversion.what'],
      ['invalid_value', 'conversion.count'],
      ['money_must_be_string', 'conversion.rate.value'],
    ]);
  });

  it('names what is no order, no JSON or too much, and checks without storing', async () => {
    const shop: Shop = await service.shop();
    expect(codes(await shop.call('POST', '/v1/orders?format=shopify', [{}, 7]))).to.deep.equal([
      [null, 'rejected', 'query_incomplete'],
      [null, 'rejected', 'query_incomplete'],
    ]);
    const refusal = async (body: unknown, format = 'shopify') =>
      (await shop.call('POST', `/v1/orders?format=${format}`, body)).body.errors[0];
    expect(await refusal([])).to.include({ code: 'batch_size' });
    expect(await refusal(Array.from({ length: 251 }, () => ({})))).to.include({ code: 'batch_size' });
    expect(await refusal({}, 'magento')).to.include({ code: 'invalid_value', field: 'format' });
    const cut = await service.call('POST', '/v1/orders?format=shopify', { key: shop.key, raw: '{"orders": [' });
    expect(cut.body.errors[0].code).to.equal('invalid_json');
    const order = shopify.find(isSold)?.input.order as any;
    const own = await service.shop({ timezone: 'UTC', currency: order.currency });
    const checked = await own.call('POST', '/v1/orders?format=shopify&validate_only=1', order);
    expect(checked.body).to.include({ accepted: 1 }).and.not.to.have.property('receipt');
    expect((await own.call('GET', '/v1/source')).body.locked).to.equal(false);
  });
});
