import { Big } from 'big.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { useService, type Shop } from '../../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

const RANGE = 'from=2026-03-01&to=2026-03-31';
const money = fc.integer({ min: 0, max: 3_000 }).map((cents) => (cents / 100).toFixed(2));
const orderParts = fc.record({
  day: fc.integer({ min: 1, max: 28 }),
  total: money,
  cost: fc.option(money, { nil: undefined }),
  restocks: fc.boolean(),
  sku: fc.constantFrom('A', 'B', undefined),
  refund: fc.option(money, { nil: undefined }),
  gateway: fc.constantFrom(undefined, 'Stripe', 'Shopify Payments', 'unknown'),
  fee: fc.option(money, { nil: undefined }),
  status: fc.constantFrom('paid', 'paid', 'paid', 'pending'),
});
type Parts = typeof orderParts extends fc.Arbitrary<infer T> ? T : never;

const CATALOG: Record<string, { from: number; cost: string }[]> = {
  A: [
    { from: 0, cost: '1.333333' },
    { from: 15, cost: '7.77' },
  ],
};
const RULES = [
  { payment_gateway: 'stripe', percent: '1.333333', fixed: '0.251' },
  { payment_gateway: 'shopify-payments', percent: '100', fixed: '3' },
];

/** Profit of an order by nothing but its parts. */
function profitOf({ day, total, cost, sku, refund, restocks, gateway, fee, status }: Parts): Big {
  if (status !== 'paid') return Big(0);
  const version = CATALOG[sku ?? '']?.filter(({ from }) => from <= day).at(-1);
  const unit = cost ?? version?.cost ?? '0';
  const rule = new Map([
    ['Stripe', RULES[0]],
    ['Shopify Payments', RULES[1]],
  ]).get(gateway ?? '');
  const estimate = rule === undefined ? 0 : Big(rule.percent).times('0.01').times(total).plus(rule.fixed);
  const units = refund !== undefined && restocks ? 1 : 2;
  return Big(total)
    .minus(refund ?? 0)
    .minus(fee ?? estimate)
    .minus(Big(unit).times(units));
}

const toOrder = (id: string, parts: Parts) => ({
  order_id: id,
  order_name: `#${id}`,
  placed_at: `2026-03-${String(parts.day).padStart(2, '0')}T10:00:00Z`,
  currency: 'EUR',
  status: parts.status,
  line_items: [
    {
      line_id: 'a',
      quantity: '2',
      unit_price: '0',
      ...(parts.sku !== undefined && { sku: parts.sku }),
      ...(parts.cost !== undefined && { unit_cost: parts.cost }),
    },
  ],
  shipping: parts.total,
  total: parts.total,
  ...(parts.gateway !== undefined && { payment_gateway: parts.gateway }),
  ...(parts.fee !== undefined && { gateway_fee: parts.fee }),
  refunds:
    parts.refund === undefined
      ? []
      : [
          {
            refund_id: 'r',
            refunded_at: '2026-04-02T10:00:00Z',
            total: parts.refund,
            line_items: [{ line_id: 'a', quantity: '1', restock: parts.restocks }],
          },
        ],
});

describe('sorting and searching orders', () => {
  const service = useService();
  let shop: Shop;
  const known = new Map<string, Parts>();

  before(async () => {
    shop = await service.shop();
    await shop.call('PUT', '/v1/costs/gateway-fees', { rules: RULES });
    const costs = (CATALOG.A ?? []).map(({ from, cost }) => ({
      sku: 'A',
      unit_cost: cost,
      ...(from > 0 && { effective_from: `2026-03-${from}` }),
    }));
    await shop.call('PUT', '/v1/products/costs', { costs });
    for (const [i, parts] of fc.sample(orderParts, 120).entries()) known.set(`${i % 2 ? 'x' : 'Y'}-${i}`, parts);
    const orders = [...known].map(([id, parts]) => toOrder(id, parts));
    const { body } = await shop.call('POST', '/v1/orders', { orders });
    expect(body.accepted, JSON.stringify(body)).to.equal(orders.length);
    await service.settled();
  });

  async function all(query: string, limit = 250): Promise<any[]> {
    const found: any[] = [];
    let body: any;
    do {
      const next = body === undefined ? '' : `&cursor=${body.next}`;
      const answer = await shop.call('GET', `/v1/orders?${RANGE}&${query}&limit=${limit}${next}`);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      body = answer.body;
      found.push(...body.orders);
      if (body.next === undefined) expect(found).to.have.length(body.count);
    } while (body.next !== undefined);
    return found;
  }
  const ids = (orders: any[]): string[] => orders.map(({ order_id }) => order_id);
  const isPaid = (parts: Parts): boolean => parts.status === 'paid';
  const figures: Record<string, (parts: Parts) => Big> = {
    profit: profitOf,
    revenue: (parts) => Big(isPaid(parts) ? parts.total : 0),
    refunds: (parts) => Big(isPaid(parts) ? (parts.refund ?? 0) : 0),
  };

  for (const [sort, figure] of Object.entries(figures)) {
    for (const order of ['desc', 'asc'] as const) {
      it(`puts the orders in the order of their ${sort}, ${order}, in pages of any size`, async () => {
        const sign = order === 'desc' ? -1 : 1;
        const wanted = [...known]
          .sort(([a, one], [b, other]) => {
            const byFigure = sign * figure(one).cmp(figure(other));
            return byFigure || other.day - one.day || (a < b ? -1 : 1);
          })
          .map(([id]) => id);
        expect(ids(await all(`sort=${sort}&order=${order}`, 7))).to.deep.equal(wanted);
        expect(ids(await all(`sort=${sort}&order=${order}`))).to.deep.equal(wanted);
      });
    }
  }

  function partsOf(id: string): Parts {
    const parts = known.get(id);
    if (parts === undefined) throw new Error(`no order ${id}`);
    return parts;
  }

  it('gives each the profit by which it is sorted', async () => {
    for (const { order_id, profit, refunds, refunded } of await all('sort=profit')) {
      const parts = partsOf(order_id);
      expect(Big(profit).eq(profitOf(parts).round(6, Big.roundHalfUp)), order_id).to.equal(true);
      expect(refunded, order_id).to.equal(refunds);
    }
  });

  it('sorts by time upwards too', async () => {
    const wanted = [...known].sort(([a, one], [b, other]) => one.day - other.day || (a < b ? -1 : 1)).map(([id]) => id);
    expect(ids(await all('order=asc', 9))).to.deep.equal(wanted);
  });

  it('finds losses, refunded orders, and those that begin with a text', async () => {
    const having = (is: (parts: Parts, id: string) => boolean): string[] =>
      [...known].filter(([id, parts]) => is(parts, id)).map(([id]) => id);
    const isLoss = (parts: Parts): boolean => profitOf(parts).round(6, Big.roundHalfUp).lt(0);
    const isRefunded = (parts: Parts): boolean => isPaid(parts) && Big(parts.refund ?? 0).gt(0);
    const cases: [string, string[]][] = [
      ['loss=1', having(isLoss)],
      ['loss=0', having((parts) => !isLoss(parts))],
      ['loss=1&sort=profit&order=asc', having(isLoss)],
      ['refunded=1', having(isRefunded)],
      ['refunded=0', having((parts) => !isRefunded(parts))],
      ['q=x-1', having((_, id) => id.startsWith('x-1'))],
      ['q=y-1', having((_, id) => id.startsWith('Y-1'))],
      ['q=%23X-', having((_, id) => id.startsWith('x-'))],
      ['q=-1', []],
      ['q=%25', []],
      ['q=x_', []],
      ['loss=1&refunded=1&q=x', having((parts, id) => isLoss(parts) && isRefunded(parts) && id.startsWith('x'))],
    ];
    for (const [query, wanted] of cases) {
      const found = await all(query, 50);
      expect(ids(found), query).to.have.members(wanted);
      const { body } = await shop.call('GET', `/v1/orders?${RANGE}&${query}&limit=1`);
      expect(body.count, query).to.equal(wanted.length);
      const profit = wanted.reduce((sum, id) => sum.plus(profitOf(partsOf(id))), Big(0));
      expect(Big(body.totals.profit).eq(profit.round(6, Big.roundHalfUp)), query).to.equal(true);
    }
  });

  it('exports what it sorts', async () => {
    const { text } = await csv(`sort=profit&order=asc&loss=1`);
    const rows = text.trim().split('\r\n').slice(1);
    expect(rows.map((row) => row.split(',')[0])).to.deep.equal(ids(await all('sort=profit&order=asc&loss=1')));
  });

  async function csv(query: string): Promise<{ text: string }> {
    const headers = { authorization: `Bearer ${shop.key}`, accept: 'text/csv' };
    const answer = await fetch(`${service.url}/v1/orders?${RANGE}&${query}`, { headers });
    expect(answer.status).to.equal(200);
    return { text: await answer.text() };
  }

  it('refuses values outside their sets, forged cursors, and those of another order or shop', async () => {
    const refused = async (query: string, of = shop): Promise<string[]> => {
      const { status, body } = await of.call('GET', `/v1/orders?${RANGE}&${query}`);
      expect(status, query).to.equal(400);
      return body.errors.map((error: any) => `${error.code} ${error.field}`);
    };
    expect(await refused(`sort=name&order=up&loss=yes&refunded=&q=&q2=1`)).to.have.members([
      'invalid_value sort',
      'invalid_value order',
      'invalid_value loss',
      'invalid_value refunded',
      'invalid_value q',
      'unknown_field q2',
    ]);
    expect(await refused(`q=${'a'.repeat(256)}`)).to.deep.equal(['invalid_value q']);
    const { next } = (await shop.call('GET', `/v1/orders?${RANGE}&sort=profit&limit=1`)).body;
    for (const query of ['sort=revenue', 'sort=profit&order=asc', 'sort=profit&loss=1', '']) {
      expect(await refused(`${query}&cursor=${next}`), query).to.deep.equal(['invalid_value cursor']);
    }
    expect(await refused(`sort=profit&cursor=${next}`, await service.shop())).to.deep.equal(['invalid_value cursor']);
    const [query, place] = JSON.parse(Buffer.from(next, 'base64url').toString());
    for (const forged of [{ value: '' }, { value: '1e9' }, { value: 'x' }, { count: -1 }, { day: 0 }]) {
      const cursor = Buffer.from(JSON.stringify([query, { ...place, ...forged }])).toString('base64url');
      expect(await refused(`sort=profit&cursor=${cursor}`)).to.deep.equal(['invalid_value cursor']);
    }
  });

  it('shows nothing of another shop', async () => {
    const other = await service.shop();
    for (const query of ['sort=profit', 'loss=0', 'q=x', 'refunded=0']) {
      const { body } = await other.call('GET', `/v1/orders?${RANGE}&${query}`);
      expect([body.orders, body.count], query).to.deep.equal([[], 0]);
    }
  });
});
