import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { auditText, runAudit, type AuditOptions, type AuditSummary } from '../../../src/cli/commands/audit.js';
import type { Difference } from '../../../src/domain/audit/ledger.js';
import { PLACED_SUMS } from '../../../src/domain/metrics/sums.js';
import { createAuditState } from '../../../src/redis/audit-state.js';
import { createAuditDay, createCheckDays } from '../../../src/figures/audit.js';
import { createCompareDays } from '../../../src/warehouse/queries/audit-checksums.js';
import { createAuditReader } from '../../../src/warehouse/queries/audit.js';
import { createAuditLoop } from '../../../workers/audit.js';
import { onEachServer } from '../../support/on-each-server.js';
import { useService, type Shop } from '../../support/service.js';

const SALE_DAY = '2026-03-01';
const REFUND_DAY = '2026-03-03';
const SPEND_DAY = '2026-03-05';

const order = (id: number, fields: Record<string, unknown> = {}) => ({
  order_id: `o.${id}`,
  placed_at: `${SALE_DAY}T10:00:00Z`,
  updated_at: `${REFUND_DAY}T10:00:00Z`,
  currency: 'EUR',

  status: 'paid',
  total: id % 2 === 0 ? '119.55' : '120.4',
  tax: '20.05',
  discounts: '0.7',
  payment_gateway: ['Stripe', 'paypal', ''][id % 3],
  line_items: [
    { line_id: 'a', quantity: '3', unit_price: '20.25', sku: 'OWN', unit_cost: '7.125', line_discount: '0.75' },
    { line_id: 'b', quantity: '0.5', unit_price: '80.4', sku: id % 4 === 0 ? 'UNPRICED' : 'PRICED' },
    { line_id: 'c', quantity: '1', unit_price: '0.85' },
  ].slice(0, 2 + (id % 2)),
  ...(id % 5 === 0 && { gateway_fee: '1.234567' }),
  refunds:
    id % 2 === 0
      ? [
          {
            refund_id: 'r',
            refunded_at: `${REFUND_DAY}T09:00:00Z`,
            total: '40.5',
            gateway_fee_refund: '0.1',
            line_items: [
              { line_id: 'a', quantity: '1', restock: true },
              { line_id: 'b', quantity: '0.25', restock: id % 3 === 0 },
            ],
          },
        ]
      : [],
  ...fields,
});

describe('the audit', function () {
  const service = useService();
  let shop: Shop;
  before(async () => {
    shop = await service.shop();
    const costs = [
      { sku: 'PRICED', unit_cost: '11.1' },
      { sku: 'PRICED', unit_cost: '12.2', effective_from: SALE_DAY },
      { sku: 'PRICED', unit_cost: '13.3', effective_from: REFUND_DAY },
      { sku: 'GONE', unit_cost: '1' },
    ];
    await shop.call('PUT', '/v1/products/costs', { costs });
    await shop.call('PUT', '/v1/products/costs', { costs: [{ sku: 'GONE', deleted: true }] });
    const orders = Array.from({ length: 40 }, (_, id) => order(id));
    await shop.call('POST', '/v1/orders', { orders });
    await service.settled();
    const later = { updated_at: `${REFUND_DAY}T12:00:00Z` };
    const { body } = await shop.call('POST', '/v1/orders', {
      orders: [
        order(1, { ...later, placed_at: '2026-02-27T10:00:00Z' }),
        order(2, { ...later, refunds: [] }),
        order(3, { ...later, status: 'voided' }),
        order(4, { ...later, is_test: true }),
        order(6, { ...later, deleted: true }),
      ],
    });
    expect(body.accepted, JSON.stringify(body)).to.equal(5);
    const push = async (...rows: object[]): Promise<void> => {
      const own = rows.map((row) => ({ event_date: SPEND_DAY, channel: 'google_ads', currency: 'EUR', ...row }));
      expect((await shop.call('POST', '/v1/costs/spend', { rows: own })).body).to.include({ accepted: rows.length });
    };
    await push(
      { campaign_id: '1', spend: '10.5' },
      { campaign_id: '2', spend: '0.25' },
      { currency: 'USD', spend: '3' },
    );
    await push({ spend: '0' });
    await push({ campaign_id: '1', spend: '11' });
    const known = [
      { order_id: 'o.7', gateway_fee: '0.7', fulfillment_cost: '2.5' },
      { order_id: 'o.10', gateway_fee: '0.8' },
    ];
    expect((await shop.call('PUT', '/v1/costs/orders', { costs: known })).body).to.include({ accepted: 2 });
    await service.settled();
  });

  const lines: string[] = [];
  const audit = (options: Partial<AuditOptions> = {}): Promise<AuditSummary> =>
    runAudit(service.stores, {
      shop: shop.id,
      stderr: new PassThrough(),
      signal: new AbortController().signal,
      againAfterMs: 20,
      print: (line) => lines.push(line),
      ...options,
    });
  const command = (sql: string): Promise<void> =>
    onEachServer(service, (server) => server.command(`${sql} SETTINGS mutations_sync = 2`, { shop: shop.id }));

  it('finds every stored day right, whatever became of its orders', async () => {
    expect(await audit(), lines.join('\n')).to.deep.equal({ days: 4, differences: 0, behind: 0, tooLarge: 0 });
  });

  it('knows that from checksums alone, of all days at once', async () => {
    const { stores } = service;
    const check = createCheckDays({ ...stores, compareDays: createCompareDays(stores.warehouse) });
    const checked = await check({ shopId: shop.id, from: '2026-01-01', to: '2026-12-31' });
    const days = ['2026-02-27', SALE_DAY, REFUND_DAY, SPEND_DAY];
    expect({ ...checked, right: checked.right.sort() }).to.deep.equal({
      to: '2026-12-31',
      right: days,
      behind: [],
      suspect: [],
    });
  });

  it('draws nothing any more on the terminal once it is interrupted, so that the command ends', async () => {
    const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    const end = await audit({ stderr, signal: AbortSignal.abort() }).catch((error: unknown) => error);
    expect(end).to.have.property('name', 'AbortError');
    stderr.read();
    await sleep(500);
    expect(stderr.read()).to.equal(null);
  });

  it('leaves a day out that has more spend than it holds in memory, and says so', async () => {
    const large = await service.shop();
    await service.stores.warehouse.command(
      `INSERT INTO ad_spend (shop_id, event_date, channel, currency, ad_id, spend, version)
       SELECT {shop:String}, '${SPEND_DAY}', 'custom:a', 'EUR', toString(number), 1, 1 FROM numbers(200001)`,
      { shop: large.id },
    );
    const summary = await audit({ shop: large.id });
    expect(summary).to.deep.equal({ days: 1, differences: 0, behind: 0, tooLarge: 1 });
    expect(auditText(summary)).to.equal(
      '1 days, 0 differences, 1 days differ and have more spend, unit costs or products than the audit takes',
    );
  });

  const faults = {
    orders: `UPDATE total = total + toDecimal128('0.000001', 6) WHERE shop_id = {shop:String} AND order_id = 'o.8'`,
    'lines of orders': `UPDATE \`line_items.quantity\` = arrayMap(q -> q + toDecimal128('0.000001', 6), line_items.quantity)
      WHERE shop_id = {shop:String} AND order_id = 'o.9'`,
    order_days: `UPDATE refunds = refunds + toDecimal128('0.000001', 6) WHERE shop_id = {shop:String} AND order_id = 'o.8' AND day = '${REFUND_DAY}'`,
    'amounts that two orders exchanged in order_days': `UPDATE tax = tax + if(order_id = 'o.8', 1, -1) WHERE shop_id = {shop:String} AND order_id IN ('o.8', 'o.10') AND day = '${SALE_DAY}'`,
    'two amounts of an order exchanged in order_days': `UPDATE tax = tax + 1, tips = tips + -1 WHERE shop_id = {shop:String} AND order_id = 'o.8' AND day = '${SALE_DAY}'`,
    'lines of order_days': `UPDATE \`lines.unit_cost\` = arrayMap(c -> c + toDecimal128('0.000001', 6), lines.unit_cost)
      WHERE shop_id = {shop:String} AND order_id = 'o.9'`,
    'returned lines of order_days': `UPDATE \`refund_lines.line_discount\` = arrayMap(d -> d + toDecimal128('0.000001', 6), refund_lines.line_discount)
      WHERE shop_id = {shop:String} AND order_id = 'o.8' AND day = '${REFUND_DAY}'`,
    'refunds of orders': `UPDATE \`refunds.total\` = arrayMap(t -> t + toDecimal128('0.000001', 6), refunds.total)
      WHERE shop_id = {shop:String} AND order_id = 'o.8'`,
    order_costs: `UPDATE amount = amount + toDecimal128('0.000001', 6) WHERE shop_id = {shop:String} AND order_id = 'o.7' AND kind = 'gateway_fee'`,
    order_keys: `UPDATE is_deleted = 1 WHERE shop_id = {shop:String} AND order_id = 'o.8' AND day = '${REFUND_DAY}'`,
    product_costs: `UPDATE unit_cost = unit_cost + toDecimal128('0.000001', 6) WHERE shop_id = {shop:String} AND sku = 'PRICED'`,
    ad_spend: `UPDATE spend = spend + toDecimal128('0.000001', 6) WHERE shop_id = {shop:String} AND campaign_id = '1'`,
    daily_orders: `UPDATE sums = mapUpdate(sums, map('cogs', sums['cogs'] + toDecimal256('0.000000000001', 12))) WHERE shop_id = {shop:String} AND day = '${SALE_DAY}'`,
    ...Object.fromEntries(
      PLACED_SUMS.map(({ name }) => [
        `${name} of placed orders in daily_orders`,
        `UPDATE placed_sums = mapUpdate(placed_sums, map('${name}', placed_sums['${name}'] + toDecimal256('0.000000000001', 12)))
          WHERE shop_id = {shop:String} AND day = '${SALE_DAY}' AND part = 'orders'`,
      ]),
    ),
    order_facts: `UPDATE cogs = cogs + toDecimal256('0.000000000001', 12) WHERE shop_id = {shop:String} AND order_id = 'o.8' AND day = '${SALE_DAY}'`,
    'spend of daily_orders': `UPDATE \`spend.amount\` = arrayMap(a -> a + toDecimal128('0.000001', 6), spend.amount)
      WHERE shop_id = {shop:String} AND day = '${SPEND_DAY}'`,
    'estimable of daily_orders': `UPDATE \`estimable.revenue\` = arrayMap(r -> r + toDecimal128('0.000001', 6), estimable.revenue)
      WHERE shop_id = {shop:String} AND day = '${SALE_DAY}'`,
    'what came back in daily_products': `UPDATE \`products.refunds\` = arrayMap(r -> r + toDecimal256('0.000000000001', 12), products.refunds)
      WHERE shop_id = {shop:String} AND day = '${REFUND_DAY}'`,
    daily_products: `UPDATE \`products.units_sold\` = arrayMap(u -> u + toDecimal128('0.000001', 6), products.units_sold)
      WHERE shop_id = {shop:String} AND day = '${SALE_DAY}'`,
  };
  for (const [what, fault] of Object.entries(faults)) {
    it(`notices what is wrong in ${what}`, async () => {
      const table = what.split(' ').at(-1) ?? '';
      const undo = fault.replace(/ \+ /g, ' - ').replace('is_deleted = 1', 'is_deleted = 0');
      lines.length = 0;
      await command(`ALTER TABLE ${table} ${fault}`);
      try {
        expect((await audit()).differences).to.be.greaterThan(0);
        expect(lines[0]).to.match(/^shop-\S+ 2026-0[23]-\d\d \w+.*: \S+ is stored, its rows come to \S+$/);
      } finally {
        await command(`ALTER TABLE ${table} ${undo}`);
      }
    });
  }

  it('is repeated by the worker, which tells a wrong day and computes it again', async () => {
    const state = createAuditState(service.stores.redis);
    const reader = createAuditReader(service.stores.warehouse);
    const told: (readonly Difference[])[] = [];
    const days = ['2026-02-27', SALE_DAY, REFUND_DAY, SPEND_DAY];
    const turn = createAuditLoop({
      check: createCheckDays({ ...service.stores, compareDays: createCompareDays(service.stores.warehouse) }),
      audit: createAuditDay({ ...service.stores, reader }),
      // Of this shop alone: others of the suite are none of its business.
      state: { ...state, lastShop: () => Promise.resolve(''), moveTo: (_, day) => state.moveTo(shop.id, day) },
      reader: { ...reader, nextShop: () => Promise.resolve(shop.id) },
      rebuild: ({ day }) =>
        service.stores.rebuildQueues.add('costs', new Map([[shop.id, [day]]])).then(() => undefined),
      onWrong: (_, differences) => told.push(differences),
      now: Date.now,
      confirmMs: 0,
      share: 1,
    });
    await command(
      `ALTER TABLE daily_orders UPDATE sums = mapUpdate(sums, map('revenue', sums['revenue'] + 1)) WHERE shop_id = {shop:String} AND day = '${SALE_DAY}'`,
    );
    for (let i = 0; i < 2 * days.length && told.length === 0; i++) await turn();
    expect(told[0]?.map(({ figure }) => figure)).to.deep.equal(['daily_orders.revenue']);
    await service.settled();
    expect((await state.of(shop.id)).wrong_days.map(({ date }) => date)).to.deep.equal([SALE_DAY]);
    const status = async () => (await shop.call('GET', '/v1/ingest/status')).body;
    expect((await status()).audit.wrong_days[0].differences[0].figure).to.equal('daily_orders.revenue');

    for (let i = 0; i < 2 * days.length; i++) await turn();
    const { wrong_days, complete_at } = await state.of(shop.id);
    expect(wrong_days).to.deep.equal([]);
    expect(Date.now() - Date.parse(complete_at ?? '')).to.be.within(0, 7_200_000);
    expect(told).to.have.length(1);
  });
});
