import { expect } from 'chai';
import fc from 'fast-check';
import { touchesOf } from '../../src/domain/attribution/sessions.js';
import { batchesOf, historyArbitrary } from '../support/order-arbitrary.js';
import { newestPushes, referenceDay } from '../support/order-reference.js';
import { runs } from '../support/runs.js';
import { costsArbitrary, pushCosts } from './costs-arbitrary.js';
import { analystOf, type Analyst } from '../support/bi-proxy.js';
import { startService, type Service, type Shop } from '../support/service.js';
import { sharedBiProxy } from '../support/shared-engines.js';

const FROM = '2025-02-25';
const TO = '2026-01-10';
type Row = Record<string, string | number | boolean | null>;

/** `"12.500000"` and `"12.5"` → the same text, as the API writes it. */
function canonical(value: unknown): unknown {
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?$/.test(value)) return value;
  const [whole = '', fraction = ''] = value.split('.');
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

describe('views of bi', function () {
  this.timeout(600_000);
  let service: Service;

  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const analysts = new Map<string, Promise<Analyst>>();
  const rows = async (shop: Pick<Shop, 'id'>, sql: string): Promise<Row[]> => {
    const analyst =
      analysts.get(shop.id) ?? sharedBiProxy().then((proxy) => analystOf(shop.id, proxy, service.stores.warehouse));
    analysts.set(shop.id, analyst);
    return (await analyst)<Row>(sql);
  };

  it('daily_metrics equals the API on every day, and the other views hold what it is made of', async () => {
    const shops = fc.array(fc.tuple(historyArbitrary, costsArbitrary), { minLength: 5, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(shops, async (all) => {
        await Promise.all(
          all.map(async ([history, costs]) => {
            const shop = await service.shop({ timezone: history.zone });
            await pushCosts(shop, costs);
            for (const orders of batchesOf(history)) {
              const paid = orders.map((order, i) => ({ ...order, payment_gateway: ['PayPal', 'STRASSE', 'x'][i % 3] }));
              await shop.call('POST', '/v1/orders', { orders: paid });
            }
            await service.settled();

            const { body } = await shop.call('GET', `/v1/metrics/daily?from=${FROM}&to=${TO}&include=expenses`);
            const seen = new Map((await rows(shop, 'SELECT * FROM bi.daily_metrics')).map((row) => [row.day, row]));
            for (const { date, ...figures } of body.days as Row[]) {
              const row = seen.get(String(date));
              const wanted = row ?? { orders: '0' };
              expect(row?.currency ?? 'EUR').to.equal('EUR');
              for (const [name, figure] of Object.entries(figures)) {
                const nothing = name === 'orders' ? '0' : figure === null ? null : '0.00';
                const got = name === 'orders' ? wanted[name] : canonical(wanted[name] ?? nothing);
                expect(got, `${name} on ${String(date)}`).to.equal(name === 'orders' ? String(figure) : figure);
              }
            }
            const newest = newestPushes(history.pushes).filter((order) => order.deleted !== true);
            const orders = await rows(shop, 'SELECT * FROM bi.orders ORDER BY order_id');
            expect(orders.map((row) => [row.order_id, row.placed_day, row.status])).to.deep.equal(
              newest
                .map((order) => [order.order_id, referenceDay(order.placed_at, history.zone), order.status])
                .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
            );
            const [sums] = await rows(
              shop,
              `SELECT
                 (SELECT sum(total) FROM bi.orders WHERE counted) = (SELECT sum(revenue) FROM bi.daily_metrics) AS revenue,
                 (SELECT sum(total) FROM bi.order_refunds) = (SELECT sum(refunds) FROM bi.daily_metrics) AS refunds,
                 (SELECT sum(spend) FROM bi.ad_spend WHERE in_figures) <= (SELECT sum(ad_spend) FROM bi.daily_metrics) AS spend,
                 (SELECT count() FROM bi.expenses) = ${costs.expenses.length} AS expenses,
                 (SELECT (sum(revenue), sum(refunds), sum(orders), sum(ad_spend)) FROM bi.daily_channels WHERE model = 'first_touch')
                   = (SELECT (sum(revenue), sum(refunds), sum(orders), sum(ad_spend)) FROM bi.daily_metrics) AS channels,
                 (SELECT (sum(revenue), count()) FROM bi.attribution WHERE model = 'last_touch')
                   = (SELECT (sum(revenue), sum(orders)) FROM bi.daily_metrics) AS attribution,
                 (SELECT count() FROM bi.order_line_items) = ${newest.reduce((n, o) => n + o.line_items.length, 0)} AS lines,
                 abs((SELECT ifNull(sum(cost), toDecimal256(0, 12)) FROM bi.order_line_items WHERE counted)
                   - (SELECT sum(cost_credit) FROM bi.refund_line_items)
                   - (SELECT sum(cogs) FROM bi.daily_metrics)) <= toDecimal256('0.0005', 12) AS cogs,
                 (SELECT (sum(cogs), sum(revenue), sum(units_sold), sum(refunds), sum(units_refunded), sum(units_without_cost))
                  FROM bi.daily_products)
                   = (SELECT (
                        ifNull(sumIf(cost, counted), toDecimal256(0, 12)) - (SELECT sum(cost_credit) FROM bi.refund_line_items),
                        sumIf(amount, counted),
                        sumIf(quantity, counted),
                        (SELECT sum(amount) FROM bi.refund_line_items),
                        (SELECT sum(quantity) FROM bi.refund_line_items),
                        sumIf(quantity, counted AND unit_cost IS NULL)
                      ) FROM bi.order_line_items) AS products`,
            );
            expect(sums).to.deep.equal({
              revenue: 1,
              refunds: 1,
              ...{ spend: 1, expenses: 1, channels: 1, attribution: 1 },
              lines: 1,
              cogs: 1,
              products: 1,
            });
          }),
        );
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  });

  it('keep one row of an order that moves onto and off a day of a refund', async () => {
    const shop = await service.shop();
    const push = (fields: Record<string, unknown>): Promise<unknown> =>
      shop.call('POST', '/v1/orders', {
        orders: [
          {
            ...{ order_id: 'o', currency: 'EUR', status: 'paid', total: '10' },
            ...{ placed_at: '2026-03-01T12:00:00Z', updated_at: '2026-03-01T12:00:00Z' },
            ...{ line_items: [{ line_id: '1', quantity: '1', unit_price: '10', sku: 'A' }] },
            ...fields,
          },
        ],
      });
    const refunds = [
      {
        ...{ refund_id: 'r', refunded_at: '2026-03-01T13:00:00Z', total: '4' },
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
      ...{ shop_id: shop.id, sku, effective_from: from, unit_cost, currency: 'EUR', version, is_deleted },
    });
    await service.stores.warehouse.insert('product_costs', [
      cost('A', '1970-01-01', '1'),
      cost('A', '2026-03-01', '2.5'),
      cost('A', '2026-03-02', '9'),
      cost('A', '2026-03-02', '9', 1, 2),
    ]);
    const line = (line_id: string, fields: Row): Row => ({ line_id, quantity: '2', unit_price: '5', ...fields });
    await shop.call('POST', '/v1/orders', {
      orders: [
        {
          ...{ order_id: 'o', currency: 'EUR', status: 'paid', total: '30', placed_at: '2026-03-02T12:00:00Z' },
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

  it('sessions are those that attribution goes by', async () => {
    const minute = 60_000;
    const start = Date.UTC(2026, 0, 1);
    const event = fc.record({
      at: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.constantFrom(0, 30, 60)).map((n) => start + n * minute),
      channel: fc.constantFrom('direct', 'internal', 'google_ads', 'email'),
      arrival: fc.constantFrom('1', '2', '10'),
      evidence: fc.constantFrom('proved' as const, 'claimed' as const, 'ambiguous' as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(event, { maxLength: 30 }), { maxLength: 20 }), async (visitors) => {
        const shop = await service.shop({ timezone: 'Asia/Tokyo' });
        await service.stores.warehouse.insert(
          'visitor_events',
          visitors.flatMap((events, visitor) =>
            events.map(({ at, channel, arrival, evidence }, i) => ({
              ...{ shop_id: shop.id, anon_id: `v${visitor}`, event_id: `${visitor}-${i}`, precedence: 1 },
              ...{ ts: at, type: 'page_view', channel, arrival, evidence },
            })),
          ),
        );
        const seen = await rows(
          shop,
          `SELECT anon_id, toUnixTimestamp64Milli(started_at) AS at, channel, evidence, events FROM bi.sessions
           ORDER BY toUInt32(substring(anon_id, 2)), session`,
        );
        const wanted = visitors.flatMap((events, visitor) =>
          touchesOf(events).map(({ at, channel, evidence }) => [`v${visitor}`, String(at), channel, evidence]),
        );
        expect(seen.map((row) => [row.anon_id, row.at, row.channel, row.evidence])).to.deep.equal(wanted);
        expect(seen.reduce((sum, row) => sum + Number(row.events), 0)).to.equal(visitors.flat().length);
      }),
      { numRuns: runs(2), endOnFailure: true },
    );
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
    const { warehouse } = service.stores;
    const key = { shop_id: 'x', order_id: 'o', version: 1 };
    // Of an empty table a plan says nothing.
    await warehouse.insert('orders', [{ ...key, placed_day: '2026-03-01' }]);
    await warehouse.insert('order_days', [{ ...key, day: '2026-03-01', placed_day: '2026-03-01', orders: 1 }]);
    await warehouse.insert('order_attribution', [{ ...key, placed_day: '2026-03-01' }]);
    await warehouse.insert('daily_orders', [{ shop_id: 'x', day: '2026-03-01', computed_at: 1 }]);
    await warehouse.insert('daily_channels', [{ shop_id: 'x', day: '2026-03-01', computed_at: 1 }]);
    await warehouse.insert('daily_products', [{ shop_id: 'x', day: '2026-03-01', computed_at: 1 }]);
    await warehouse.insert('ad_spend', [{ shop_id: 'x', event_date: '2026-03-01', version: 1 }]);
    const days: Record<string, string> = {
      orders: 'placed_day',
      order_line_items: 'placed_day',
      order_refunds: 'refunded_day',
      refund_line_items: 'refunded_day',
      daily_metrics: 'day',
      daily_channels: 'day',
      daily_products: 'day',
      ad_spend: 'day',
      attribution: 'placed_day',
    };
    for (const [view, day] of Object.entries(days)) {
      const plan = await rows(
        { id: 'x' },
        `EXPLAIN indexes = 1 SELECT count() FROM bi.${view} WHERE ${day} BETWEEN '2026-03-01' AND '2026-03-30'`,
      );
      const conditions = plan.map(({ explain }) => String(explain)).filter((line) => line.includes('Condition: '));
      const reading = conditions.filter((line) => /(day|date) in/.test(line) && line.includes("shop_id in ['x', 'x']"));
      expect(reading.length, `${view}: ${conditions.join(' ')}`).to.be.greaterThan(0);
    }
  });
});
