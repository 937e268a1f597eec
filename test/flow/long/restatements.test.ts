import { expect } from 'chai';
import { askUntilFresh } from '../../support/ask-until-fresh.js';
import { paidOrder } from '../../support/paid-order.js';
import { useService, type Answer, type Shop } from '../../support/service.js';

const WEEK = 'from=2026-03-01&to=2026-03-07';

interface Entry {
  date: string;
  figure: string;
  before: string | number;
  after: string | number;
  at: string;
  causes: { kind: string; count: number; receipts?: string[] }[];
}

const order = (fields: object): object =>
  paidOrder('o', {
    updated_at: '2026-03-01T12:00:01Z',
    payment_gateway: 'card',
    line_items: [{ line_id: '1', quantity: '1', unit_price: '10', sku: 'A' }],
    ...fields,
  });

describe('GET /v1/restatements', () => {
  const service = useService();

  async function read(shop: Shop, query: string): Promise<Entry[]> {
    const entries: Entry[] = [];
    let cursor = '';
    do {
      const from = cursor;
      const { status, body } = await askUntilFresh(() => shop.call('GET', `/v1/restatements?${query}${from}`));
      expect(status, JSON.stringify(body)).to.equal(200);
      entries.push(...body.restatements);
      cursor = body.next === undefined ? '' : `&cursor=${body.next}`;
    } while (cursor !== '');
    return entries;
  }

  const textOf = ({ date, figure, before, after }: Entry): string => `${date} ${figure} ${before} → ${after}`;

  it('lists every change of a closed day with its causes and the receipts of the pushes', async () => {
    const shop = await service.shop();
    const placed = '/v1/orders';
    const refund = { refund_id: 'r', refunded_at: '2026-03-03T12:00:00Z', total: '4' };
    const steps: [string, () => Promise<Answer>, string[]][] = [
      [
        'late_order',
        () => shop.call('POST', placed, { orders: [order({})] }),
        ['2026-03-01 revenue 0.00 → 10.00', '2026-03-01 orders 0 → 1'],
      ],
      [
        'unit_cost',
        () => shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'A', unit_cost: '3' }] }),
        ['2026-03-01 cogs 0.00 → 3.00', '2026-03-01 net_profit 10.00 → 7.00'],
      ],
      [
        'fee_rule',
        () =>
          shop.call('PUT', '/v1/costs/gateway-fees', {
            rules: [{ payment_gateway: 'card', percent: '5', fixed: '0' }],
          }),
        ['2026-03-01 gateway_fees 0.00 → 0.50'],
      ],
      [
        'spend',
        () =>
          shop.call('POST', '/v1/costs/spend', {
            rows: [{ channel: 'email', event_date: '2026-03-02', spend: '2', currency: 'EUR' }],
          }),
        ['2026-03-02 ad_spend 0.00 → 2.00', '2026-03-02 net_profit 0.00 → -2.00'],
      ],
      [
        'expense',
        () =>
          shop.call('POST', '/v1/costs/expenses', {
            external_id: 'e',
            name: 'Rent',
            category: 'other',
            amount: '1',
            currency: 'EUR',
            frequency: 'one_time',
            started_on: '2026-03-05',
          }),
        ['2026-03-05 operating_expenses 0.00 → 1.00', '2026-03-05 net_profit_after_expenses 0.00 → -1.00'],
      ],
      [
        'refund',
        () => shop.call('POST', placed, { orders: [order({ updated_at: '2026-03-03T12:00:01Z', refunds: [refund] })] }),
        ['2026-03-03 refunds 0.00 → 4.00'],
      ],
      [
        'edited_order',
        () =>
          shop.call('POST', placed, {
            orders: [order({ updated_at: '2026-03-04T12:00:01Z', placed_at: '2026-03-04T12:00:00Z' })],
          }),
        ['2026-03-01 orders 1 → 0', '2026-03-04 revenue 0.00 → 10.00', '2026-03-03 refunds 4.00 → 0.00'],
      ],
      [
        'deletion',
        () =>
          shop.call('POST', placed, {
            orders: [
              order({ updated_at: '2026-03-05T12:00:01Z', placed_at: '2026-03-04T12:00:00Z', status: 'voided' }),
            ],
          }),
        ['2026-03-04 revenue 10.00 → 0.00', '2026-03-04 cogs 3.00 → 0.00'],
      ],
    ];
    let since = new Date().toISOString();
    for (const [kind, push, wanted] of steps) {
      const { status, body } = await push();
      expect(status, JSON.stringify(body)).to.be.oneOf([200, 201]);
      await service.settled();
      const entries = await read(shop, `${WEEK}&after=${body.receipt}&since=${since}&limit=7`);
      expect(entries.map(textOf), kind).to.include.members(wanted);
      for (const entry of entries) {
        const type = entry.figure === 'orders' ? 'number' : 'string'; // a count, and money
        expect([typeof entry.before, typeof entry.after], textOf(entry)).to.deep.equal([type, type]);
        expect(entry.causes, `${kind}: ${textOf(entry)}`).to.deep.equal([{ kind, count: 1, receipts: [body.receipt] }]);
      }
      since = entries.at(-1)?.at ?? since;
    }
    expect(await read(shop, `${WEEK}&since=${since}`)).to.deep.equal([]);
  });

  it('names the last push of a setting, also while earlier rows of it are not merged away', async () => {
    const shop = await service.shop();
    const { warehouse } = service.stores;
    await warehouse.command('SYSTEM STOP MERGES settings_history');
    try {
      const { body } = await shop.call('POST', '/v1/orders', { orders: [order({})] });
      expect(body.accepted).to.equal(1);
      await service.settled();
      const receipts: string[] = [];
      for (let percent = 1; percent <= 6; percent++) {
        const rules = [{ payment_gateway: 'card', percent: String(percent), fixed: '0' }];
        receipts.push((await shop.call('PUT', '/v1/costs/gateway-fees', { rules })).body.receipt);
      }
      await service.settled();
      const fees = (await read(shop, `${WEEK}&after=${receipts.at(-1) ?? ''}`)).filter(
        ({ figure }) => figure === 'gateway_fees',
      );
      expect(fees.map(({ causes }) => causes)).to.deep.equal(
        receipts.map((receipt) => [{ kind: 'fee_rule', count: 1, receipts: [receipt] }]),
      );
    } finally {
      await warehouse.command('SYSTEM START MERGES settings_history');
    }
  });

  it('tells nothing of a day that has not ended', async () => {
    const shop = await service.shop({ timezone: 'Pacific/Kiritimati' });
    const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
    const { body } = await shop.call('POST', '/v1/orders', {
      orders: [order({ placed_at: new Date().toISOString(), updated_at: new Date().toISOString() })],
    });
    await service.settled();
    expect(await read(shop, `from=${today}&to=${today}&after=${body.receipt}`)).to.deep.equal([]);
  });

  it('refuses a moment to come or no longer kept, and a cursor that is cut or of another shop or query', async () => {
    const [shop, other] = await Promise.all([service.shop(), service.shop()]);
    for (const each of [shop, other]) await each.call('POST', '/v1/orders', { orders: [order({})] });
    await service.settled();
    const path = `/v1/restatements?${WEEK}&limit=1`;
    const faultOf = async (query: string, from = shop) => {
      const { status, body } = await from.call('GET', path + query);
      expect(status, query).to.equal(400);
      return body.errors[0];
    };
    const days = (count: number): string => new Date(Date.now() + count * 86_400_000).toISOString();
    for (const since of ['', 'x', '2026-03-01', days(1), days(-401)]) {
      expect(await faultOf(`&since=${since}`), since).to.include({ code: 'invalid_range', field: 'since' });
    }
    const next = await waitForNext(shop, path);
    expect((await read(shop, `${WEEK}&limit=1`)).length).to.be.greaterThan(1);
    for (const cursor of [next.slice(0, -9), next.slice(1), '', 'x'.repeat(9_000)]) {
      expect(await faultOf(`&cursor=${cursor}`), cursor).to.include({ code: 'invalid_value', field: 'cursor' });
    }
    expect(await faultOf(`&cursor=${next}`, other)).to.include({ code: 'invalid_value', field: 'cursor' });
    expect(await faultOf(`&since=${days(-1)}&cursor=${next}`)).to.include({ code: 'invalid_value', field: 'cursor' });
  });

  /** Changes are told once they have landed. */
  async function waitForNext(shop: Shop, path: string): Promise<string> {
    for (;;) {
      const { body } = await shop.call('GET', path);
      if (body.next !== undefined) return body.next;
    }
  }
});
