import { expect } from 'chai';
import { analystsOf, directly, type BiRow } from '../support/bi-proxy.js';
import { onEachServer } from '../support/on-each-server.js';
import { useService } from '../support/service.js';
import { sharedBiProxy, sharedEngines } from '../support/shared-engines.js';

describe('views of bi', () => {
  const service = useService();
  let rows: ReturnType<typeof analystsOf>;

  before(() => {
    rows = analystsOf(service.stores, sharedBiProxy);
  });

  it('keep one row of an order that moves onto and off a day of a refund', async () => {
    const shop = await service.shop();
    const push = (fields: Record<string, unknown>): Promise<unknown> =>
      shop.call('POST', '/v1/orders', {
        orders: [
          {
            order_id: 'o',
            currency: 'EUR',
            status: 'paid',
            total: '10',
            placed_at: '2026-03-01T12:00:00Z',
            updated_at: '2026-03-01T12:00:00Z',
            line_items: [{ line_id: '1', quantity: '1', unit_price: '10', sku: 'A' }],
            ...fields,
          },
        ],
      });
    const refunds = [
      {
        refund_id: 'r',
        refunded_at: '2026-03-01T13:00:00Z',
        total: '4',
        line_items: [{ line_id: '1', quantity: '0.5', restock: true }],
      },
    ];
    const state = async (): Promise<unknown[]> => {
      await service.settled();
      const at = await rows(shop, "SELECT placed_day AS day, 'o' AS what FROM bi.orders");
      const returned = await rows(shop, "SELECT refunded_day AS day, 'r' AS what FROM bi.order_refunds");
      const lines = await rows(shop, 'SELECT refunded_day AS day, sku AS what FROM bi.refund_line_items');
      return [...at, ...returned, ...lines].map((row) => `${String(row.day)} ${String(row.what)}`);
    };

    await push({ refunds });
    expect(await state()).to.deep.equal(['2026-03-01 o', '2026-03-01 r', '2026-03-01 A']);
    await push({ refunds, placed_at: '2026-02-28T12:00:00Z', updated_at: '2026-03-02T12:00:00Z' });
    expect(await state()).to.deep.equal(['2026-02-28 o', '2026-03-01 r', '2026-03-01 A']);
    await push({ updated_at: '2026-03-03T12:00:00Z' });
    expect(await state()).to.deep.equal(['2026-03-01 o']);
    await push({ refunds, status: 'voided', updated_at: '2026-03-04T12:00:00Z' });
    expect(await state()).to.deep.equal(['2026-03-01 o']);
    await push({ deleted: true, updated_at: '2026-03-05T12:00:00Z' });
    expect(await state()).to.deep.equal([]);
  });

  it('costs of lines come from the line, else from the catalog of the day', async () => {
    const shop = await service.shop();
    const cost = (sku: string, from: string, unit_cost: string, is_deleted = 0, version = 1) => ({
      shop_id: shop.id,
      sku,
      effective_from: from,
      unit_cost,
      currency: 'EUR',
      version,
      is_deleted,
    });
    await service.stores.warehouse.insert('product_costs', [
      cost('A', '1970-01-01', '1'),
      cost('A', '2026-03-01', '2.5'),
      cost('A', '2026-03-02', '9'),
      cost('A', '2026-03-02', '9', 1, 2),
    ]);
    const line = (line_id: string, fields: BiRow): BiRow => ({ line_id, quantity: '2', unit_price: '5', ...fields });
    await shop.call('POST', '/v1/orders', {
      orders: [
        {
          order_id: 'o',
          currency: 'EUR',
          status: 'paid',
          total: '30',
          placed_at: '2026-03-02T12:00:00Z',
          line_items: [line('1', { sku: 'A' }), line('2', { sku: 'A', unit_cost: '0.1' }), line('3', { sku: 'B' })],
        },
      ],
    });
    await service.settled();
    expect(
      (await rows(shop, 'SELECT line_id, unit_cost_from, cost FROM bi.order_line_items ORDER BY line_id')).map((row) =>
        Object.values(row),
      ),
    ).to.deep.equal([
      ['1', 'catalog', '5'],
      ['2', 'line', '0.2'],
      ['3', 'unknown', null],
    ]);
    expect(
      await rows(shop, 'SELECT sku, toString(effective_from) AS f, unit_cost FROM bi.product_costs'),
    ).to.deep.equal([
      { sku: 'A', f: '1970-01-01', unit_cost: '1' },
      { sku: 'A', f: '2026-03-01', unit_cost: '2.5' },
    ]);
    await shop.call('PUT', '/v1/products/costs', {
      costs: [{ sku: 'A', unit_cost: '7', effective_from: '1970-01-01' }],
    });
    await service.settled();
    expect(
      await rows(
        shop,
        'SELECT toUInt16(effective_from) = 0 AS first, from_the_beginning AS b, unit_cost FROM bi.product_costs ORDER BY effective_from, b DESC',
      ),
    ).to.deep.equal([
      { first: 1, b: true, unit_cost: '1' },
      { first: 1, b: false, unit_cost: '7' },
      { first: 0, b: false, unit_cost: '2.5' },
    ]);
    const [log] = await rows(
      shop,
      'SELECT kind, accepted, received_day = toDate(received_at) AS d FROM bi.ingest_log ORDER BY received_at',
    );
    expect(log).to.deep.equal({ kind: 'orders', accepted: 1, d: 1 });
  });

  it('leave out spend that was cleared, and show what is pushed after it', async () => {
    const shop = await service.shop();
    const row = { channel: 'Radio', event_date: '2026-03-01', currency: 'EUR' };
    const spend = async (...list: { campaign_id?: string; spend: string }[]): Promise<void> => {
      const answer = await shop.call('POST', '/v1/costs/spend', { rows: list.map((one) => ({ ...row, ...one })) });
      expect(answer.body).to.include({ accepted: list.length });
      await service.settled();
    };
    const shown = async (): Promise<unknown[]> =>
      (await rows(shop, 'SELECT campaign_id AS c, spend FROM bi.ad_spend ORDER BY c')).map((one) => Object.values(one));
    await spend({ campaign_id: 'a', spend: '1' }, { campaign_id: 'b', spend: '2' }, { spend: '3' });
    expect(await shown()).to.deep.equal([
      ['a', '1'],
      ['b', '2'],
      [null, '3'],
    ]);
    await spend({ spend: '0' });
    expect(await shown()).to.deep.equal([]);
    await spend({ campaign_id: 'b', spend: '4' });
    expect(await shown()).to.deep.equal([['b', '4']]);
  });

  it('show a push once whose entry in the log was written twice', async () => {
    const shop = await service.shop();
    const entry = {
      shop_id: shop.id,
      kind: 'events',
      received_at: '2026-03-01 10:00:00.000',
      batch_id: 'again',
      accepted: 3,
    };
    const { warehouse } = service.stores;
    await warehouse.insert('ingest_log', [entry]);
    await warehouse.insert('ingest_log', [entry]);
    expect(await rows(shop, 'SELECT batch_id, accepted FROM bi.ingest_log')).to.deep.equal([
      { batch_id: 'again', accepted: 3 },
    ]);
  });

  it('show nothing to somebody without a shop, the service itself included, and a comment on every view and column', async () => {
    const { warehouse } = service.stores;
    expect(await warehouse.query('SELECT 1 FROM bi.orders LIMIT 1')).to.deep.equal([]);
    const bare = await warehouse.query(
      `SELECT concat(table, '.', name) AS n FROM system.columns WHERE database = 'bi' AND comment = ''
       UNION ALL SELECT name FROM system.tables WHERE database = 'bi' AND (comment = '' OR engine != 'View')`,
    );
    expect(bare).to.deep.equal([]);
  });

  it('take filters on the day down to the primary key', async () => {
    const key = { shop_id: 'x', order_id: 'o', version: 1 };
    // Of an empty table a plan says nothing.
    await onEachServer(service, async (server) => {
      await server.insert('orders', [{ ...key, placed_day: '2026-03-01' }]);
      await server.insert('order_days', [{ ...key, day: '2026-03-01', placed_day: '2026-03-01', orders: 1 }]);
      await server.insert('order_attribution', [{ ...key, placed_day: '2026-03-01' }]);
      await server.insert('daily_orders', [{ shop_id: 'x', day: '2026-03-01', computed_at: 1 }]);
      await server.insert('order_facts', [{ ...key, day: '2026-03-01', is_listed: true, status: 'paid' }]);
      await server.insert('daily_products', [{ shop_id: 'x', day: '2026-03-01', computed_at: 1 }]);
      await server.insert('ad_spend', [{ shop_id: 'x', event_date: '2026-03-01', version: 1 }]);
    });
    const days: Record<string, string> = {
      orders: 'placed_day',
      order_line_items: 'placed_day',
      order_profit: 'placed_day',
      customer_orders: 'placed_day',
      order_refunds: 'refunded_day',
      refund_line_items: 'refunded_day',
      daily_metrics: 'day',
      daily_metrics_history: 'day',
      restatements: 'day',
      daily_channels: 'day',
      daily_products: 'day',
      ad_spend: 'day',
      attribution: 'placed_day',
    };
    // The proxy answers no EXPLAIN that shows what is read.
    const direct = analystsOf(service.stores, () => sharedEngines().then(({ clickhouse }) => directly(clickhouse)));
    for (const [view, day] of Object.entries(days)) {
      const plan = await direct(
        { id: 'x' },
        `EXPLAIN indexes = 1 SELECT count() FROM bi.${view} WHERE ${day} BETWEEN '2026-03-01' AND '2026-03-30'`,
      );
      const conditions = plan.map(({ explain }) => String(explain)).filter((line) => line.includes('Condition: '));
      const reading = conditions.filter((line) => /(day|date) in/.test(line) && line.includes("shop_id in ['x', 'x']"));
      expect(reading.length, `${view}: ${conditions.join(' ')}`).to.be.greaterThan(0);
    }
  });

  it('take filters on an order or a customer down to an index', async () => {
    const order = { shop_id: 'y', version: 1, placed_day: '2026-03-01' };
    await onEachServer(service, (server) => server.insert('orders', [{ ...order, order_id: 'o', customer_id: 'c' }]));
    const direct = analystsOf(service.stores, () => sharedEngines().then(({ clickhouse }) => directly(clickhouse)));
    for (const view of ['orders', 'order_line_items']) {
      for (const [condition, index] of [
        ["order_id = 'o'", 'by_order'],
        ["order_id IN ('o', 'p')", 'by_order'],
        ["customer_id = 'c'", 'by_customer'],
        ["customer_id IN ('c', 'd')", 'by_customer'],
      ] as const) {
        const plan = await direct({ id: 'y' }, `EXPLAIN indexes = 1 SELECT * FROM bi.${view} WHERE ${condition}`);
        const names = plan.map(({ explain }) => /Name: (\w+)/.exec(String(explain))?.[1]);
        expect(names, `${view}: ${condition}`).to.include(index);
      }
    }
  });
});
