import { expect } from 'chai';
import fc from 'fast-check';
import { ATTRIBUTION_MODELS, type ChannelRow } from '../../src/schemas/attribution.js';
import { attributedShop, iso, MINUTE, range, total, type AttributedShop } from '../support/attributed-shop.js';
import { wireMicros } from '../support/cost-reference.js';
import type { Evidence } from '../../src/domain/events/channel.js';
import type { Metrics } from '../../src/schemas/metrics.js';
import { history, SPAN, WAYS, type History, type HistoryOrder } from '../support/attribution-history.js';
import { naiveShares } from '../support/naive-attribution.js';
import { literal } from '../../src/warehouse/sql.js';
import { runs } from '../support/runs.js';
import { useService } from '../support/service.js';

const euros = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

describe('GET /v1/attribution over random histories', function () {
  this.timeout(600_000);
  const service = useService();

  before(() => {
    service.startWorkers();
  });

  it('equals a naive reference over random histories, in whatever order they arrive', async () => {
    const property = fc.asyncProperty(history, fc.infiniteStream(fc.nat(999)), async (past, dice) => {
      const own = await attributedShop(service);
      const { shop, attribution } = own;
      const start = Date.now() - SPAN + 2 * MINUTE;
      await play(own, start, past, dice);
      await service.settled();
      const arrived = await withArrivals(shop.id, start, past);
      const metrics = (await shop.call('GET', `/v1/metrics?${range()}`)).body as Metrics;
      for (const model of ATTRIBUTION_MODELS) {
        const rows = await attribution(model);
        expect(total(rows, 'revenue')).to.equal(wireMicros(metrics.revenue));
        for (const field of ['refunds', 'cogs', 'gateway_fees', 'ad_spend'] as const) {
          expect(total(rows, field), field).to.equal(wireMicros(metrics[field]));
        }
        expect(total(rows, 'profit')).to.equal(wireMicros(metrics.net_profit));
        expect(rows.reduce((sum, row) => sum + Math.round(row.orders * 1e6), 0)).to.equal(metrics.orders * 1e6);
        compare(rows, arrived, model);
      }
    });
    await fc.assert(property, { numRuns: runs(1) });
  });

  /** Sends a history in random order, some of it twice, while the workers are at it. */
  async function play(
    { shop, collect, pushOrder }: AttributedShop,
    start: number,
    past: History,
    dice: Iterator<number>,
  ): Promise<void> {
    const roll = (): number => (dice.next().value as number | undefined) ?? 0;
    const events = past.events.map((event) => () => {
      const way = WAYS[event.way];
      return collect({
        event_id: event.id,
        anon_id: `v${event.visitor}`,
        type: event.type,
        ts: iso(start + event.at),
        url: way?.url,
        referrer: way?.referrer,
        ...(event.order !== undefined && { order_id: `o${event.order}` }),
        ...(event.checkout !== undefined && { checkout_token: `c${event.checkout}` }),
      });
    });
    const orders = past.orders.map((order) => () => {
      const refund = order.refund;
      return pushOrder({
        order_id: `o${order.id}`,
        placed_at: iso(start + order.placed),
        total: euros(order.cents),
        ...costFields(order),
        refunds: refund
          ? [
              {
                refund_id: 'r',
                refunded_at: iso(start + refund.at),
                total: euros(refund.cents),
                gateway_fee_refund: '0.05',
                line_items: [{ line_id: '1', quantity: '1', restock: true }],
              },
            ]
          : [],
      });
    });
    const catalog = async (): Promise<void> => {
      await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'mug', unit_cost: String(CATALOG_COST) }] });
    };
    const rules = async (): Promise<void> => {
      await shop.call('PUT', '/v1/costs/gateway-fees', { rules: [RULE] });
    };
    const shuffled = [...events, ...orders, catalog, rules]
      .flatMap((send) => (roll() < 100 ? [send, send] : [send]))
      .map((send) => ({ send, at: roll() }))
      .sort((a, b) => a.at - b.at);
    for (let i = 0; i < shuffled.length; i += 6) {
      await Promise.all(shuffled.slice(i, i + 6).map(({ send }) => send()));
      if (roll() < 200) await service.settled();
    }
  }

  /** The history with the times at which its events arrived here. */
  async function withArrivals(shopId: string, start: number, past: History): Promise<History> {
    const rows = await service.stores.warehouse.query<{ event_id: string; at: string }>(
      `SELECT event_id, toUnixTimestamp64Milli(received_at) AS at FROM events FINAL WHERE shop_id = ${literal(shopId)}`,
    );
    const arrivals = new Map(rows.map(({ event_id, at }) => [event_id, Number(at) - start]));
    return {
      orders: past.orders.map(({ checkout: _, ...order }) => order),
      events: past.events.map((event) => ({ ...event, receivedAt: arrivals.get(event.id) ?? NaN })),
    };
  }

  function compare(rows: readonly ChannelRow[], past: History, model: string): void {
    const none = { orders: 0, cents: 0, refunds: 0, cogs: 0, fees: 0 };
    const byEvidence = { proved: none, claimed: none, ambiguous: none };
    const expected = new Map<string, Record<Evidence, typeof none>>();
    for (const [id, shares] of naiveShares(past, model)) {
      const order = past.orders[id];
      if (order === undefined) continue;
      const costs = costsOf(order);
      for (const [channel, by] of shares) {
        const known = { ...(expected.get(channel) ?? byEvidence) };
        for (const [evidence, share] of Object.entries(by) as [Evidence, number][]) {
          const sum = known[evidence];
          known[evidence] = {
            orders: sum.orders + share,
            cents: sum.cents + share * order.cents,
            refunds: sum.refunds + share * (order.refund?.cents ?? 0),
            cogs: sum.cogs + share * costs.cogs,
            fees: sum.fees + share * costs.fees,
          };
        }
        expected.set(channel, known);
      }
    }
    const named = rows.filter((row) => row.orders > 0 || row.refunds !== '0.00').map((row) => row.channel);
    expect(named.sort(), model).to.deep.equal([...expected.keys()].sort());
    for (const row of rows) {
      const by = expected.get(row.channel) ?? byEvidence;
      const sum = (of: keyof typeof none): number => by.proved[of] + by.claimed[of] + by.ambiguous[of];
      const what = `${model} ${row.channel}`;
      expect(row.orders, `${what} orders`).to.be.closeTo(sum('orders'), 1e-5);
      expect(Number(row.revenue), `${what} revenue`).to.be.closeTo(sum('cents') / 100, 1e-5);
      expect(Number(row.refunds), `${what} refunds`).to.be.closeTo(sum('refunds') / 100, 1e-5);
      expect(Number(row.cogs), `${what} cogs`).to.be.closeTo(sum('cogs'), 1e-5);
      expect(Number(row.gateway_fees), `${what} fees`).to.be.closeTo(sum('fees'), 1e-5);
      const profit = (sum('cents') - sum('refunds')) / 100 - sum('cogs') - sum('fees');
      expect(Number(row.profit), `${what} profit`).to.be.closeTo(profit, 1e-5);
      for (const evidence of ['proved', 'claimed', 'ambiguous'] as const) {
        const own = by[evidence];
        expect(row[evidence].orders, `${what} ${evidence}`).to.be.closeTo(own.orders, 1e-5);
        expect(Number(row[evidence].revenue), `${what} ${evidence}`).to.be.closeTo(own.cents / 100, 1e-5);
        expect(Number(row[evidence].net_revenue), `${what} ${evidence}`).to.be.closeTo(
          (own.cents - own.refunds) / 100,
          1e-5,
        );
      }
    }
  }
});

/** Costs of the line: its own, of the catalog from a day on, or not known. */
const CATALOG_COST = 7.3;
const OWN_COST = 4.19;
const RULE = { payment_gateway: 'Stripe', percent: '1.4', fixed: '0.25' };

/** By its number: what an order says of its costs. */
function costFields({ id, cents }: HistoryOrder): Record<string, unknown> {
  const line = { line_id: '1', quantity: '1', unit_price: euros(cents), sku: id % 3 === 0 ? 'none' : 'mug' };
  return {
    line_items: [{ ...line, ...(id % 3 === 2 && { unit_cost: String(OWN_COST) }) }],
    payment_gateway: id % 4 < 2 ? 'stripe' : 'cash',
    ...(id % 4 === 0 && { gateway_fee: '0.5' }),
  };
}

function costsOf({ id, cents, refund }: HistoryOrder): { cogs: number; fees: number } {
  const cost = id % 3 === 0 ? 0 : id % 3 === 1 ? CATALOG_COST : OWN_COST;
  const back = refund === undefined ? 0 : 0.05;
  return {
    cogs: refund === undefined ? cost : 0,
    fees: (id % 4 === 0 ? 0.5 : id % 4 === 1 ? (cents / 100) * 0.014 + 0.25 : 0) - back,
  };
}
