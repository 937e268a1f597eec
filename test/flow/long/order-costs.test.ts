import { expect } from 'chai';
import { explained } from '../../support/explained.js';
import { askUntilFresh } from '../../support/ask-until-fresh.js';
import { useFreshShop, useService } from '../../support/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- answers of any form */

const DAY = '2026-03-01';
const RANGE = `from=${DAY}&to=2026-03-03`;
const order = (order_id: string, fields: object = {}) => ({
  order_id,
  placed_at: `${DAY}T12:00:00Z`,
  updated_at: `${DAY}T12:00:00Z`,
  currency: 'EUR',
  status: 'paid',
  total: '100',
  line_items: [{ line_id: '1', quantity: '1', unit_price: '100', unit_cost: '40' }],
  payment_gateway: 'Stripe',
  ...fields,
});

describe('PUT /v1/costs/orders', () => {
  const service = useService();
  const shop = useFreshShop(service, { timezone: 'UTC' });

  const push = async (...orders: object[]): Promise<void> => {
    const { body } = await shop.call('POST', '/v1/orders', { orders });
    expect(body.rejected, JSON.stringify(body)).to.equal(0);
    await service.settled();
  };
  const put = async (...costs: object[]) => {
    const answer = await shop.call('PUT', '/v1/costs/orders', { costs });
    await service.settled();
    return answer;
  };
  /** What every read says of the fees and fulfillment costs of the shop: they must agree. */
  const known = async () => {
    const { body } = await shop.call('GET', `/v1/metrics?${RANGE}&include=statement,coverage`);
    const { body: list } = await shop.call('GET', `/v1/orders?${RANGE}`);
    for (const [figure, value] of [
      ['gateway_fees', body.gateway_fees],
      ['fulfillment_costs', body.statement.fulfillment_costs],
      ['earnings', body.statement.earnings],
    ] as const) {
      expect((await explained(shop, `figure=${figure}&${RANGE}`, 50)).total, figure).to.equal(value);
      expect(list.totals[figure], `totals.${figure}`).to.equal(value);
    }
    const { orders_fee_estimated, orders_without_fulfillment, gateway_fee_actual } = body.coverage;
    return {
      fees: body.gateway_fees,
      fulfillment: body.statement.fulfillment_costs,
      earnings: body.statement.earnings,
      coverage: [gateway_fee_actual, orders_fee_estimated, orders_without_fulfillment],
    };
  };
  const detail = async (id: string) => (await shop.call('GET', `/v1/orders/${id}`)).body;

  it('wins over what the order says, in every figure, and null takes it back', async () => {
    await shop.call('PUT', '/v1/costs/gateway-fees', {
      rules: [{ payment_gateway: 'stripe', percent: '2', fixed: '0' }],
    });
    const refund = { refund_id: 'r', refunded_at: `${DAY}T18:00:00Z`, total: '10', gateway_fee_refund: '0.25' };
    await push(order('own', { gateway_fee: '1', fulfillment_cost: '5', refunds: [refund] }), order('none'));
    // 100 - 10 - 40 - (1 - 0.25) - 5, and 100 - 40 - 2.
    expect(await known()).to.deep.equal({
      fees: '2.75',
      fulfillment: '5.00',
      earnings: '102.25',
      coverage: [50, 1, 1],
    });

    const { status, body } = await put(
      { order_id: 'own', fulfillment_cost: '6.5', gateway_fee: '0.9' },
      { order_id: 'none', gateway_fee: '3.000001' },
    );
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      accepted: 2,
      rejected: 0,
      results: [
        { order_id: 'own', outcome: 'accepted' },
        { order_id: 'none', outcome: 'accepted' },
      ],
    });
    expect(await known()).to.deep.equal({
      fees: '3.650001',
      fulfillment: '6.50',
      earnings: '99.849999',
      coverage: [100, 0, 1],
    });
    expect(await detail('own')).to.include({ gateway_fee: '0.90', fulfillment_cost: '6.50', gateway_fees: '0.65' });
    expect(await detail('none')).to.include({ gateway_fee: '3.000001', fee_source: 'actual', earnings: '56.999999' });
    expect(await detail('none')).not.to.have.property('fulfillment_cost');

    // One cost is taken back, the other stays.
    await put({ order_id: 'own', gateway_fee: null }, { order_id: 'none', gateway_fee: null, fulfillment_cost: '0' });
    expect(await known()).to.deep.equal({
      fees: '2.75',
      fulfillment: '6.50',
      earnings: '100.75',
      coverage: [50, 1, 0],
    });
  });

  it('may come before its order, and a re-send of the order does not touch it', async () => {
    await put({ order_id: 'later', fulfillment_cost: '7' });
    await push(order('later'));
    expect(await known()).to.include({ fulfillment: '7.00', earnings: '53.00' });
    await push(order('later', { updated_at: `${DAY}T13:00:00Z`, fulfillment_cost: '1' }));
    expect(await known()).to.include({ fulfillment: '7.00' });
    // It follows the order to its new day, and counts no more once the order does not.
    await push(order('later', { updated_at: `${DAY}T14:00:00Z`, placed_at: '2026-03-02T12:00:00Z' }));
    expect((await shop.call('GET', `/v1/metrics?from=${DAY}&to=${DAY}&include=statement`)).body.statement).to.include({
      fulfillment_costs: '0.00',
    });
    expect(await known()).to.include({ fulfillment: '7.00' });
    await push(order('later', { updated_at: `${DAY}T15:00:00Z`, status: 'voided' }));
    expect(await known()).to.include({ fulfillment: '0.00', earnings: '0.00' });
  });

  const waiting = async (): Promise<unknown[]> =>
    (await shop.call('GET', '/v1/costs/orders?unknown=1')).body.costs.map(({ received_at: _, ...cost }: any) => cost);
  const codes = ({ body }: any) => body.results.map(({ warnings }: any) => warnings?.map(({ code }: any) => code));

  it('says which orders are not known, keeps what they cost, and joins it when they come, by id or by name', async () => {
    await push(
      order('there', { order_name: '#1' }),
      order('twice-a', { order_name: '#2' }),
      order('twice-b', { order_name: '#2' }),
    );
    const answer = await put(
      { order_id: 'there', fulfillment_cost: '1' },
      { order_id: '#1', gateway_fee: '2' },
      { order_id: '#2', gateway_fee: '4' },
      { order_id: 'later', gateway_fee: '8', fulfillment_cost: '16' },
      { order_id: '#3', gateway_fee: '32' },
      { order_id: 'later', gateway_fee: '9' },
      { order_id: '' },
    );
    expect(answer.body).to.include({ accepted: 6, rejected: 1, orders_unknown: 3 });
    const [twice, unknown] = [['duplicate_order_id'], ['order_unknown']];
    const both = [...twice, ...unknown];
    expect(codes(answer)).to.deep.equal([twice, twice, unknown, both, unknown, both, undefined]);
    expect(answer.body.results[1].warnings[0].message).to.contain('"#1" is sent 2 times, in costs[0] and costs[1]');
    expect(answer.body.results[3].warnings[0].message).to.contain('costs[3] and costs[5]');
    expect(await waiting()).to.deep.equal([
      { order_id: '#2', gateway_fee: '4.00' },
      { order_id: '#3', gateway_fee: '32.00' },
      { order_id: 'later', fulfillment_cost: '16.00', gateway_fee: '9.00' },
    ]);
    expect(await known()).to.include({ fees: '2.00', fulfillment: '1.00' });
    expect((await shop.call('GET', '/v1/ingest/status')).body.orders_unknown).to.equal(3);
    await push(order('later'), order('third', { order_name: '#3' }));
    expect(await waiting()).to.have.lengthOf(1);
    expect(await known()).to.include({ fees: '43.00', fulfillment: '17.00' });
    // What was joined stays with its order, whatever its name is then.
    await push(
      order('third', { order_name: '#33', updated_at: `${DAY}T13:00:00Z` }),
      order('fourth', { order_name: '#3' }),
    );
    expect(await known()).to.include({ fees: '43.00', fulfillment: '17.00' });
    // The newest push counts, by whichever of the two it named the order; null takes it back by the name too.
    await put({ order_id: 'third', gateway_fee: '64' });
    await push(order('third', { order_name: '#33', updated_at: `${DAY}T14:00:00Z` }));
    expect(await known()).to.include({ fees: '75.00' });
    await put({ order_id: '#33', gateway_fee: null }, { order_id: '#1', gateway_fee: '3' });
    expect(await known()).to.include({ fees: '12.00' });
  });

  it('takes an id before a name, knows orders on their way, and no order of another shop or that was deleted', async () => {
    const other = await service.shop({ timezone: 'UTC' });
    await other.call('POST', '/v1/orders', { orders: [order('x', { order_name: '#9' })] });
    await push(order('7', { order_name: '8' }), order('8', { order_name: '7' }), order('gone'));
    await shop.call('DELETE', '/v1/orders/gone');
    await service.settled();
    await shop.call('POST', '/v1/orders', { orders: [order('queued')] });
    const answer = await put(...['8', 'queued', 'x', '#9', 'gone'].map((order_id) => ({ order_id, gateway_fee: '5' })));
    expect(codes(answer)).to.deep.equal([undefined, undefined, ...Array.from({ length: 3 }, () => ['order_unknown'])]);
    expect(await detail('8')).to.include({ gateway_fee: '5.00' });
    expect(await detail('7')).not.to.have.property('gateway_fee');
    expect((await waiting()).map(({ order_id }: any) => order_id)).to.deep.equal(['#9', 'gone', 'x']);
    const { body } = await shop.call('GET', '/v1/costs/orders?limit=2');
    const next = await shop.call('GET', `/v1/costs/orders?limit=9&after=${body.next}`);
    expect(next.body.costs.map(({ order_id }: any) => order_id)).to.deep.equal(['gone', 'queued', 'x']);
    const key = await service.key(shop.id, 'publishable');
    expect((await service.call('GET', '/v1/costs/orders?unknown=1', { key })).status).to.equal(403);
  });

  it('is named as the cause of a restatement, with its receipt', async () => {
    await push(order('1'));
    const since = new Date().toISOString();
    const { body } = await put({ order_id: '1', fulfillment_cost: '4' });
    let restatements: any[] = [];
    while (restatements.length === 0) {
      restatements = (await shop.call('GET', `/v1/restatements?${RANGE}&since=${since}`)).body.restatements;
    }
    expect(restatements.map(({ figure, before, after }: any) => [figure, before, after])).to.deep.equal([
      ['fulfillment_costs', '0.00', '4.00'],
      ['earnings', '60.00', '56.00'],
    ]);
    for (const { causes } of restatements) {
      expect(causes).to.deep.equal([{ kind: 'order_cost', count: 1, receipts: [body.receipt] }]);
    }
  });

  it('is not read before it counts, by its receipt', async () => {
    service.startWorkers();
    await push(order('1'));
    const { body } = await shop.call('PUT', '/v1/costs/orders', { costs: [{ order_id: '1', fulfillment_cost: '4' }] });
    const path = `/v1/metrics?${RANGE}&include=statement&after=${body.receipt}`;
    const answer = await askUntilFresh(() => shop.call('GET', path));
    expect(answer.status).to.equal(200);
    expect(answer.body.statement.fulfillment_costs).to.equal('4.00');
  });

  it('is of one shop, and the newest of several in one push counts', async () => {
    const other = await service.shop({ timezone: 'UTC' });
    await push(order('1'));
    await other.call('PUT', '/v1/costs/orders', { costs: [{ order_id: '1', fulfillment_cost: '99' }] });
    await put({ order_id: '1', fulfillment_cost: '2' }, { order_id: '1', fulfillment_cost: '3' });
    expect(await known()).to.include({ fulfillment: '3.00' });
  });

  it('tells all faults of an item, and takes the others', async () => {
    const { status, body } = await put(
      { order_id: '1' },
      { order_id: '', fulfillment_cost: 4, gateway_fee: '-1', what: 1 },
      { order_id: '2', gateway_fee: '1' },
    );
    expect(status).to.equal(200);
    expect(body).to.include({ accepted: 1, rejected: 2 });
    expect(
      body.results.map(({ order_id, errors }: any) => [order_id, errors?.map((one: any) => one.code)]),
    ).to.deep.equal([
      ['1', ['missing_field']],
      ['', ['unknown_field', 'invalid_value', 'money_must_be_string', 'invalid_money']],
      ['2', undefined],
    ]);
    const read = await service.key(shop.id, 'publishable');
    expect((await shop.call('PUT', '/v1/costs/orders', { costs: [] })).body.errors[0].code).to.equal('batch_size');
    const refused = await service.call('PUT', '/v1/costs/orders', { key: read, body: { costs: [{ order_id: '1' }] } });
    expect(refused.body.errors[0].code).to.equal('forbidden_scope');
  });
});
