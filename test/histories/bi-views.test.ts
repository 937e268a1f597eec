import { expect } from 'chai';
import fc from 'fast-check';
import { dateTimeText } from '../../src/warehouse/columns/date-time.js';
import { touchesOf } from '../../src/domain/attribution/sessions.js';
import { costsArbitrary, pushCosts } from '../support/bi-costs-arbitrary.js';
import { analystsOf, canonical, type BiRow } from '../support/bi-proxy.js';
import { batchesOf, historyArbitrary } from '../support/order-arbitrary.js';
import { newestPushes, referenceDay } from '../support/order-reference.js';
import { runs } from '../support/runs.js';
import { useService, type Shop } from '../support/service.js';
import { sharedBiProxy } from '../support/shared-engines.js';

const FROM = '2025-02-25';
const TO = '2026-01-10';

describe('views of bi over random histories', function () {
  this.timeout(600_000);
  const service = useService();
  let rows: ReturnType<typeof analystsOf>;

  before(() => {
    rows = analystsOf(service.stores, sharedBiProxy);
  });

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
            const known = newestPushes(history.pushes).map(({ order_id }, i) => ({
              order_id,
              ...(i % 3 !== 0 && { fulfillment_cost: `${i}.25` }),
              ...(i % 3 !== 1 && { gateway_fee: `0.${i}1` }),
            }));
            const { status } = await shop.call('PUT', '/v1/costs/orders', { costs: known });
            expect(status).to.equal(200);
            await service.settled();

            const { body } = await shop.call(
              'GET',
              `/v1/metrics/daily?from=${FROM}&to=${TO}&include=expenses,statement,coverage`,
            );
            const seen = new Map((await rows(shop, 'SELECT * FROM bi.daily_metrics')).map((row) => [row.day, row]));
            for (const { date, statement, coverage, ...rest } of body.days as BiRow[]) {
              const figures = { ...rest, ...(statement as unknown as BiRow) };
              checkCoverage(seen.get(String(date)), coverage as unknown as BiRow);
              const row = seen.get(String(date));
              const wanted = row ?? { orders: '0' };
              expect(row?.currency ?? 'EUR').to.equal('EUR');
              for (const [name, figure] of Object.entries(figures)) {
                const nothing = name === 'orders' ? '0' : figure === null ? null : '0.00';
                const got = name === 'orders' ? wanted[name] : canonical(wanted[name] ?? nothing);
                expect(got, `${name} on ${String(date)}`).to.equal(name === 'orders' ? String(figure) : figure);
              }
            }
            await checkOrderProfit(shop);
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
                 (SELECT (sum(revenue), sum(refunds), sum(orders), sum(ad_spend), sum(ifNull(cogs, 0)), sum(ifNull(gateway_fees, 0)), sum(ifNull(profit, 0)))
                  FROM bi.daily_channels WHERE model = 'linear')
                   = (SELECT (sum(revenue), sum(refunds), sum(orders), sum(ad_spend), sum(cogs), sum(gateway_fees), sum(net_profit))
                      FROM bi.daily_metrics) AS channels,
                 (SELECT (sum(revenue), count()) FROM bi.attribution WHERE model = 'last_touch')
                   = (SELECT (sum(revenue), sum(orders)) FROM bi.daily_metrics) AS attribution,
                 (SELECT count() FROM bi.order_line_items) = ${newest.reduce((n, o) => n + o.line_items.length, 0)} AS lines,
                 abs((SELECT ifNull(sum(cost), toDecimal256(0, 12)) FROM bi.order_line_items WHERE counted)
                   - (SELECT sum(ifNull(cost_credit, 0)) FROM bi.refund_line_items)
                   - (SELECT sum(ifNull(cogs, 0)) FROM bi.daily_metrics)) <= toDecimal256('0.0005', 12) AS cogs,
                 (SELECT (sum(ifNull(gross_sales, 0)), sum(discounts), sum(ifNull(cogs, 0)), sum(ifNull(revenue, 0)), sum(units_sold), sum(ifNull(refunds, 0)), sum(units_refunded), sum(units_without_cost))
                  FROM bi.daily_products)
                   = (SELECT (
                        sumIf(toDecimal256(quantity, 6) * toDecimal256(unit_price, 6), counted),
                        sumIf(line_discount, counted),
                        ifNull(sumIf(cost, counted), toDecimal256(0, 12)) - (SELECT sum(ifNull(cost_credit, 0)) FROM bi.refund_line_items),
                        sumIf(ifNull(amount, 0), counted),
                        sumIf(quantity, counted),
                        (SELECT sum(ifNull(amount, 0)) FROM bi.refund_line_items),
                        (SELECT sum(quantity) FROM bi.refund_line_items),
                        sumIf(quantity, counted AND unit_cost IS NULL)
                      ) FROM bi.order_line_items) AS products`,
            );
            expect(sums).to.deep.equal({
              revenue: 1,
              refunds: 1,
              spend: 1,
              expenses: 1,
              channels: 1,
              attribution: 1,
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

  function checkCoverage(row: BiRow | undefined, coverage: BiRow): void {
    for (const name of ['products_without_cost', 'orders_without_fee', 'refunds_without_tax'])
      expect(row?.[name] ?? '0', name).to.equal(String(coverage[name]));
    expect(canonical(row?.revenue_without_cost ?? '0.00')).to.equal(coverage.revenue_without_cost);
  }

  /** Each counted order is in `order_profit` as the list has it. */
  async function checkOrderProfit(shop: Shop): Promise<void> {
    const seen = await rows(shop, 'SELECT * FROM bi.order_profit');
    const own = new Map(seen.map((row) => [row.order_id, row]));
    expect(own.size, 'orders once').to.equal(seen.length);
    let listed = 0;
    for (let next = ''; next !== 'end';) {
      const cursor = next === '' ? '' : `&cursor=${next}`;
      const { body } = await shop.call('GET', `/v1/orders?from=${FROM}&to=${TO}&counted=1&limit=250${cursor}`);
      for (const order of body.orders as BiRow[]) {
        const row = own.get(order.order_id);
        for (const name of ['revenue', 'refunds', 'cogs', 'gateway_fees', 'profit', 'taxes', 'earnings']) {
          expect(canonical(row?.[name] ?? ''), `${name} of ${String(order.order_id)}`).to.equal(order[name]);
        }
        expect([
          row?.placed_day,
          row?.on_day,
          row?.fee_source,
          row?.channel,
          row?.lines_without_cost === '0',
        ]).to.deep.equal([order.day, order.day, order.fee_source, order.channel, order.cogs_complete]);
        listed++;
      }
      next = (body.next as string | undefined) ?? 'end';
    }
    expect(seen.length).to.equal(listed);
    const sums = (view: string): Promise<BiRow[]> =>
      rows(shop, `SELECT sum(gross_sales) AS gross_sales, sum(discounts) AS discounts FROM bi.${view}`);
    expect(await sums('order_profit'), 'sums of orders and days').to.deep.equal(await sums('daily_metrics'));
    const [units] = await rows(
      shop,
      `SELECT (SELECT sum(refunded_units) FROM bi.order_profit) = (SELECT sum(units_refunded) FROM bi.daily_products) AS same`,
    );
    expect(units?.same, 'units of refunds').to.equal(1);
    const [discounts] = await rows(
      shop,
      `SELECT groupArray((order_id, all_discounts)) AS of FROM (SELECT * FROM bi.orders WHERE counted ORDER BY order_id)`,
    );
    const [wanted] = await rows(
      shop,
      `SELECT groupArray((order_id, discounts)) AS of FROM (SELECT * FROM bi.order_profit ORDER BY order_id)`,
    );
    expect(discounts).to.deep.equal(wanted);
  }

  it('sessions are those that attribution goes by', async () => {
    const minute = 60_000;
    const start = Date.UTC(2026, 0, 1);
    const event = fc.record({
      at: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.constantFrom(0, 30, 60)).map((n) => start + n * minute),
      channel: fc.constantFrom('direct', 'internal', 'google_ads', 'email'),
      arrival: fc.constantFrom('1', '2', '10'),
      evidence: fc.constantFrom('proved' as const, 'claimed' as const, 'ambiguous' as const),
      type: fc.constantFrom('page_view', 'page_view', 'add_to_cart', 'begin_checkout', 'purchase'),
      page: fc.constantFrom('1', '2', '3'),
      host: fc.constantFrom('', 'shop.example', 'till.example'),
      bareReferrer: fc.constantFrom('', 'till.example', 'bank.example', 'facebook.com'),
      isSignIn: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(event, { maxLength: 30 }), { maxLength: 20 }), async (visitors) => {
        const shop = await service.shop({ timezone: 'Asia/Tokyo' });
        const stored = visitors.flatMap((events, visitor) =>
          events.map(({ at, host, bareReferrer, isSignIn, ...event }, i) => ({
            key: { shop_id: shop.id, anon_id: `v${visitor}`, event_id: `${visitor}-${i}`, ts: dateTimeText(at) },
            rest: { ...event, precedence: 1, url_host: host, bare_referrer: bareReferrer, is_sign_in: isSignIn },
          })),
        );
        // What the feed makes of the events is replaced.
        await service.stores.warehouse.insert(
          'events',
          stored.map(({ key }) => key),
        );
        await service.stores.warehouse.insert(
          'visitor_events',
          stored.map(({ key, rest }) => ({ ...key, ...rest })),
        );
        const seen = await rows(
          shop,
          `SELECT anon_id, toUnixTimestamp64Milli(started_at) AS at, channel, evidence, events FROM bi.sessions
           ORDER BY toUInt32(substring(anon_id, 2)), session`,
        );
        const wanted = visitors.flatMap((events, visitor) =>
          touchesOf(events.map((event) => ({ ...event, eventId: '', campaign: '' }))).map(
            ({ at, channel, evidence }) => [`v${visitor}`, String(at), channel, evidence],
          ),
        );
        expect(seen.map((row) => [row.anon_id, row.at, row.channel, row.evidence])).to.deep.equal(wanted);
        expect(seen.reduce((sum, row) => sum + Number(row.events), 0)).to.equal(visitors.flat().length);
      }),
      { numRuns: runs(2), endOnFailure: true },
    );
  });
});
