import { expect } from 'chai';
import { signsOf, type ContributionFilter } from '../../../src/domain/metrics/contributions.js';
import type { Warehouse } from '../../../src/warehouse/client.js';
import { createContributionReader } from '../../../src/warehouse/queries/contribution-reader.js';
import { positionOf } from '../../../src/warehouse/queries/contributions.js';
import { ownDatabase } from '../../support/database.js';

/** More rows than the warehouse sorts in one block. */
const ORDERS = 100_000;
const DAYS = 30;
const AMOUNTS = 190;
const PAGE = 2_000;
const DAY = 20_454;

describe('pages of a figure with many entries', () => {
  let warehouse: Warehouse;
  let drop: () => Promise<void>;

  before(async () => {
    ({ warehouse, drop } = await ownDatabase('contribution_pages_test'));
    await warehouse.command(
      `INSERT INTO order_days (shop_id, day, order_id, version, placed_day, orders, revenue)
       SELECT 'shop', toDate(${DAY}) + intDiv(number * ${DAYS}, ${ORDERS}) AS day, toString(5000000000000 + number * 32768), 1, day, 1,
         10 + number % ${AMOUNTS} FROM numbers(${ORDERS})`,
    );
  });
  after(() => drop());

  for (const figure of ['revenue', 'net_profit'] as const)
    it(`leave none of them out, by amount: ${figure}`, async () => {
      const reader = createContributionReader(warehouse);
      const filter: ContributionFilter = { sku: undefined, channel: undefined, gateway: undefined };
      const query = {
        shopId: 'shop',
        range: { from: DAY, to: DAY + DAYS - 1 },
        signs: signsOf(figure, filter),
        filter,
        currency: 'EUR',
        rules: [],
        order: 'amount' as const,
        ordersOn: new Map<number, number>(),
        limit: PAGE,
      };
      const all = Array.from({ length: ORDERS }, (_, i) => ({
        id: `${5_000_000_000_000 + i * 32_768}`,
        amount: 10 + (i % AMOUNTS),
        day: Math.floor((i * DAYS) / ORDERS),
      })).sort((a, b) => b.amount - a.amount || b.day - a.day || (a.id < b.id ? -1 : 1));
      let after: ReturnType<typeof positionOf> | undefined;
      for (let at = 0; at < ORDERS / 4; at += PAGE) {
        const rows = await reader.page({ ...query, after });
        expect(
          rows.map(({ id }) => id),
          `from ${at}`,
        ).to.deep.equal(all.slice(at, at + PAGE).map(({ id }) => id));
        const last = rows.at(-1);
        if (last !== undefined) after = positionOf(last);
      }
    });

  it('by time read only orders while the orders of a day fill a page, and list the same entries as one query of all days', async () => {
    await warehouse.command(
      `INSERT INTO order_days (shop_id, day, order_id, version, placed_day, orders, revenue, gateway_fees, has_gateway_fee,
         refund_list.refund_id, refund_list.refunded_at, refund_list.total, refund_list.tax_refund, refund_list.shipping_refund,
         refund_list.gateway_fee_refund, refund_list.gift_card_refund, refund_list.store_credit)
       SELECT 'turns', toDate(${DAY}) + number % 3 AS day, toString(number), 1, day, 1, number, -0.25, 1,
         ['r', 's'], [day, day], [2, 0], [0, 0], [0, 0], [0.5, 0], [0, 0], [false, false] FROM numbers(9)`,
    );
    await warehouse.command(
      `INSERT INTO ad_spend (shop_id, event_date, channel, currency, spend, version)
       SELECT 'turns', toDate(${DAY}) + number % 3, concat('ch', toString(number)), 'EUR', 3, 1 FROM numbers(6)`,
    );
    const asked: string[] = [];
    const reader = createContributionReader({
      ...warehouse,
      ask: (query, patience) => {
        asked.push(query.sql);
        return warehouse.ask(query, patience);
      },
    });
    const filter: ContributionFilter = { sku: undefined, channel: undefined, gateway: undefined };
    const range = { from: DAY, to: DAY + 2 };
    const query = {
      shopId: 'turns',
      range,
      signs: signsOf('net_profit', filter),
      filter,
      currency: 'EUR',
      rules: [],
      order: 'time' as const,
    };
    const all = await reader.page({ ...query, ordersOn: new Map(), limit: 1_000 });
    expect(all).to.have.length(3 * (3 * 5 + 2));
    expect(asked).to.have.length(1);

    const busy = new Map([0, 1, 2].map((day) => [DAY + day, 1_000_000]));
    for (const limit of [3, 5, 15]) {
      const found: typeof all = [];
      for (let after: ReturnType<typeof positionOf> | undefined; ;) {
        asked.length = 0;
        const rows = await reader.page({ ...query, ordersOn: busy, limit, after });
        if (after === undefined) expect(asked.join(), `${limit} at once`).not.to.include('ad_spend');
        found.push(...rows);
        const last = rows.at(-1);
        if (last === undefined || rows.length < limit) break;
        after = positionOf(last);
      }
      expect(found, `${limit} at once`).to.deep.equal(all);
    }
  });
});
