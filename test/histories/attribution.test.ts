import { expect } from 'chai';
import fc from 'fast-check';
import { ATTRIBUTION_MODELS, type ChannelRow } from '../../src/schemas/attribution.js';
import { attributedShop, iso, MINUTE, range, total, type AttributedShop } from '../support/attributed-shop.js';
import { wireMicros } from '../support/cost-reference.js';
import { history, SPAN, WAYS, type History } from '../support/attribution-history.js';
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
      const metrics = (await shop.call('GET', `/v1/metrics?${range()}`)).body as ChannelRow;
      for (const model of ATTRIBUTION_MODELS) {
        const rows = await attribution(model);
        expect(total(rows, 'revenue')).to.equal(wireMicros(metrics.revenue));
        expect(total(rows, 'refunds')).to.equal(wireMicros(metrics.refunds));
        expect(rows.reduce((sum, row) => sum + Math.round(row.orders * 1e6), 0)).to.equal(metrics.orders * 1e6);
        compare(rows, arrived, model);
      }
    });
    await fc.assert(property, { numRuns: runs(1) });
  });

  /** Sends a history in random order, some of it twice, while the workers are at it. */
  async function play(
    { collect, pushOrder }: AttributedShop,
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
        refunds: refund ? [{ refund_id: 'r', refunded_at: iso(start + refund.at), total: euros(refund.cents) }] : [],
      });
    });
    const shuffled = [...events, ...orders]
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
    const none = { orders: 0, cents: 0, refunds: 0, proved: 0, provedCents: 0, provedRefunds: 0 };
    const expected = new Map<string, typeof none>();
    for (const [id, shares] of naiveShares(past, model)) {
      const order = past.orders[id];
      for (const [channel, { share, proved }] of shares) {
        const sum = { ...(expected.get(channel) ?? none) };
        sum.orders += share;
        sum.cents += share * (order?.cents ?? 0);
        sum.refunds += share * (order?.refund?.cents ?? 0);
        sum.proved += proved;
        sum.provedCents += proved * (order?.cents ?? 0);
        sum.provedRefunds += proved * (order?.refund?.cents ?? 0);
        expected.set(channel, sum);
      }
    }
    const named = rows.filter((row) => row.orders > 0 || row.refunds !== '0.00').map((row) => row.channel);
    expect(named.sort(), model).to.deep.equal([...expected.keys()].sort());
    for (const { channel, orders, revenue, refunds, proved } of rows) {
      const sum = expected.get(channel) ?? none;
      expect(orders, `${model} ${channel} orders`).to.be.closeTo(sum.orders, 1e-5);
      expect(Number(revenue), `${model} ${channel} revenue`).to.be.closeTo(sum.cents / 100, 1e-5);
      expect(Number(refunds), `${model} ${channel} refunds`).to.be.closeTo(sum.refunds / 100, 1e-5);
      expect(proved.orders, `${model} ${channel} proved`).to.be.closeTo(sum.proved, 1e-5);
      expect(Number(proved.revenue), `${model} ${channel} proved`).to.be.closeTo(sum.provedCents / 100, 1e-5);
      const net = (sum.provedCents - sum.provedRefunds) / 100;
      expect(Number(proved.net_revenue), `${model} ${channel} proved`).to.be.closeTo(net, 1e-5);
    }
  }
});
