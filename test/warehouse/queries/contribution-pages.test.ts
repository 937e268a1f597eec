import { expect } from 'chai';
import { signsOf, type ContributionFilter } from '../../../src/domain/metrics/contributions.js';
import type { Warehouse } from '../../../src/warehouse/client.js';
import { createContributionReader, positionOf } from '../../../src/warehouse/queries/contributions.js';
import { earlierDatabase } from '../../support/earlier-database.js';

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
    ({ warehouse, drop } = await earlierDatabase('contribution_pages_test', '999'));
    await warehouse.command(
      `INSERT INTO order_days (shop_id, day, order_id, version, placed_day, orders, revenue)
       SELECT 'shop', toDate(${DAY}) + intDiv(number * ${DAYS}, ${ORDERS}) AS day, toString(5000000000000 + number * 32768), 1, day, 1,
         10 + number % ${AMOUNTS} FROM numbers(${ORDERS})`,
    );
  });
  after(() => drop());

  it('leave none of them out, by amount', async () => {
    const reader = createContributionReader(warehouse);
    const filter: ContributionFilter = { sku: undefined, channel: undefined, gateway: undefined };
    const query = {
      ...{ shopId: 'shop', range: { from: DAY, to: DAY + DAYS - 1 }, signs: signsOf('revenue', filter), filter },
      ...({ currency: 'EUR', rules: [], order: 'amount', ordersOn: new Map<number, number>(), limit: PAGE } as const),
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
});
