import { expect } from 'chai';
import fc from 'fast-check';
import { ATTRIBUTION_MODELS, type ChannelRow } from '../../src/schemas/attribution.js';
import { rebuildRollups } from '../../src/warehouse/queries/rollups.js';
import { analystsOf } from '../support/bi-proxy.js';
import { costsArbitrary, pushCosts } from '../support/bi-costs-arbitrary.js';
import { runs } from '../support/runs.js';
import { useService } from '../support/service.js';
import { sharedBiProxy } from '../support/shared-engines.js';

const DAYS = ['2025-03-01', '2025-03-02', '2025-07-31'];
const AMOUNTS = ['revenue', 'refunds', 'net_revenue', 'cogs', 'gateway_fees', 'ad_spend', 'profit'] as const;
const PARTS = ['proved', 'claimed', 'ambiguous'] as const;

const channel = fc.constantFrom('email', 'google_ads', 'meta', 'direct', 'unattributed', 'referral');
const evidence = fc.constantFrom(...PARTS);
const money = fc
  .tuple(fc.integer({ min: 1, max: 99 }), fc.nat({ max: 999_999 }))
  .map(([whole, micros]) => `${whole}.${String(micros).padStart(6, '0')}`);
const order = fc.record({
  day: fc.constantFrom(...DAYS),
  total: money,
  refund: fc.option(fc.record({ day: fc.constantFrom(...DAYS), total: money, fee: money })),
  cost: fc.option(money),
  gateway: fc.constantFrom('PayPal', 'STRASSE', 'other'),
  fee: fc.option(money),
  touches: fc.array(fc.tuple(channel, evidence, fc.integer({ min: 1, max: 5 })), { maxLength: 6 }),
});

/** `'12.50'`, `12.5` and `'12.500000'` are the same text. */
const plain = (amount: unknown): string => {
  const [whole = '', fraction = ''] = String(amount).split('.');
  return `${whole}.${fraction.replace(/0+$/, '')}`;
};

/** A row of the API under the names that the view has. */
const flat = (row: ChannelRow): string[] => [
  row.channel,
  ...[row.orders, ...AMOUNTS.map((name) => row[name])].map(plain),
  ...PARTS.flatMap((part) => [row[part].orders, row[part].revenue, row[part].net_revenue]).map(plain),
];

describe('daily_channels of bi', function () {
  this.timeout(240_000);
  const service = useService();

  it('equals GET /v1/attribution of each day and model to the last digit', async () => {
    const read = analystsOf(service.stores, sharedBiProxy);
    const columns = [
      'orders',
      ...AMOUNTS,
      ...PARTS.flatMap((p) => [`${p}_orders`, `${p}_revenue`, `${p}_net_revenue`]),
    ];
    const past = fc.tuple(fc.array(order, { minLength: 4, maxLength: 16 }), costsArbitrary);
    await fc.assert(
      fc.asyncProperty(past, async ([orders, costs]) => {
        const shop = await service.shop();
        await pushCosts(shop, costs);
        const pushed = orders.map(({ day, total, refund, cost, gateway, fee }, i) => ({
          order_id: `o${i}`,
          placed_at: `${day}T12:00:00Z`,
          currency: 'EUR',
          status: 'paid',
          total,
          payment_gateway: gateway,
          ...(fee !== null && { gateway_fee: fee }),
          line_items: [
            {
              line_id: '1',
              quantity: total,
              unit_price: '1',
              ...(cost !== null && { unit_cost: cost }),
            },
          ],
          refunds:
            refund === null
              ? []
              : [
                  {
                    refund_id: 'r',
                    refunded_at: `${refund.day}T13:00:00Z`,
                    total: refund.total,
                    gateway_fee_refund: refund.fee,
                    line_items: [{ line_id: '1', quantity: '0.333333', restock: true }],
                  },
                ],
        }));
        const { body } = await shop.call('POST', '/v1/orders', { orders: pushed });
        expect(body.rejected, JSON.stringify(body)).to.equal(0);
        await service.settled();
        const { warehouse, takeStamps } = service.stores;
        const credited = orders.flatMap(({ day, touches }, i) => {
          const [first, last] = [touches[0], touches.at(-1)];
          if (first === undefined || last === undefined) return [];
          return { day, i, touches, first, last };
        });
        await warehouse.insert(
          'order_attribution',
          await Promise.all(
            credited.map(async ({ day, i, touches, first, last }) => ({
              shop_id: shop.id,
              order_id: `o${i}`,
              placed_day: day,
              version: await takeStamps(),
              touches: touches.reduce((sum, [, , n]) => sum + n, 0),
              first_touch: first[0],
              first_evidence: first[1],
              last_touch: last[0],
              last_evidence: last[1],
              'linear.channel': touches.map(([name]) => name),
              'linear.evidence': touches.map(([, how]) => how),
              'linear.campaign': touches.map(([, , n]) => (n > 2 ? 'sale' : '')),
              'linear.touches': touches.map(([, , n]) => n),
            })),
          ),
        );
        const days = DAYS.map((day) => ({ shopId: shop.id, day }));
        await rebuildRollups(warehouse, days, takeStamps, { all: true });

        const seen = await read(shop, `SELECT day, model, channel, ${columns.join()} FROM bi.daily_channels`);
        for (const day of DAYS) {
          for (const model of ATTRIBUTION_MODELS) {
            const answer = await shop.call('GET', `/v1/attribution?from=${day}&to=${day}&model=${model}`);
            const wanted = (answer.body.channels as ChannelRow[])
              .map(flat)
              .filter((row) => row.slice(1).some((n) => n !== '0.'));
            const got = seen
              .filter((row) => row.day === day && row.model === model)
              .map((row) => [String(row.channel), ...columns.map((name) => plain(row[name]))]);
            expect(got.sort(), `${day} ${model}`).to.deep.equal(wanted.sort());
          }
        }
      }),
      { numRuns: runs(4), endOnFailure: true },
    );
  });
});
