import { expect } from 'chai';
import { migrate } from '../../../src/warehouse/migrations/migrations.js';
import { earlierDatabase, MIGRATIONS, type EarlierDatabase } from '../../support/earlier-database.js';

const shop = 'shop';
const day = '2026-03-01';

interface Sold {
  sku: string;
  cost?: string | null;
  title?: string;
  sold?: string;
  returned?: string;
  revenue?: string;
}

interface Credit {
  channel: string;
  parts?: number;
  revenue: string;
  proved?: string;
}

/** A rebuild of the day: when it began, and what it found. */
interface Rebuild {
  at: number;
  products?: readonly Sold[];
  credits?: readonly Credit[];
}

const REBUILDS: Readonly<Record<string, Rebuild>> = {
  'a day that was empty': { at: 10 },
  'its first sales, one of them with its return': {
    at: 20,
    products: [
      { sku: 'A', title: 'Mug', sold: '2', revenue: '0.000000000001' },
      { sku: 'A', returned: '1' },
      { sku: 'A', cost: '0', sold: '1' },
      { sku: 'B', cost: '1.5', title: 'Tea', sold: '0.333333', revenue: '12345678901234567890.123456789012' },
      { sku: '', sold: '1' },
    ],
    credits: [
      { channel: 'email', revenue: '7' },
      { channel: 'email', parts: 3, revenue: '2' },
    ],
  },
  'the same again': {
    at: 30,
    products: [
      { sku: 'A', returned: '1' },
      { sku: 'A', title: 'Mug', sold: '2', revenue: '0.000000000001' },
      { sku: 'A', cost: '0', sold: '1' },
      { sku: 'B', cost: '1.5', title: 'Tea', sold: '0.333333', revenue: '12345678901234567890.123456789012' },
      { sku: '', sold: '1' },
    ],
    credits: [
      { channel: 'email', parts: 3, revenue: '2' },
      { channel: 'email', revenue: '7' },
    ],
  },
  'a rebuild that began earlier and ends late': { at: 25, products: [{ sku: 'C', sold: '9' }], credits: [] },
  'an article and a channel that are gone, a title, an amount and a proof that changed': {
    at: 40,
    products: [
      { sku: 'A', title: 'Cup', sold: '2', revenue: '0.000000000002' },
      { sku: 'A', cost: '0', title: 'Cup', sold: '1' },
      { sku: '', sold: '1' },
    ],
    credits: [{ channel: 'email', parts: 3, revenue: '2', proved: '2' }],
  },
  'both back': {
    at: 50,
    products: [{ sku: 'B', cost: '1.5', title: 'Tea', sold: '0.333333' }],
    credits: [{ channel: 'email', revenue: '-7' }],
  },
  'the day empty again': { at: 60 },
};

/** Beside each other: histories as they were written before the migration, and as they are after it. */
describe('the migration to smaller views of the histories', () => {
  let earlier: EarlierDatabase;
  let newest: EarlierDatabase;

  before(async () => {
    earlier = await earlierDatabase('larger_history_views_test', '041');
    newest = await earlierDatabase('smaller_history_views_test', '041');
    const options = { database: 'smaller_history_views_test', folder: MIGRATIONS };
    expect(await migrate(newest.warehouse, options)).to.include('041_smaller_history_views.sql');
  });
  after(async () => {
    await earlier.drop();
    await newest.drop();
  });

  async function write({ warehouse }: EarlierDatabase, { at, products = [], credits = [] }: Rebuild): Promise<void> {
    const key = { shop_id: shop, day, computed_at: at };
    const of = <Entry>(entries: readonly Entry[], column: (entry: Entry) => unknown): unknown[] => entries.map(column);
    await warehouse.insert('daily_products', [
      {
        ...key,
        'products.sku': of(products, (p) => p.sku),
        'products.cost_day': of(products, () => day),
        'products.unit_cost': of(products, (p) => p.cost ?? null),
        'products.title': of(products, (p) => p.title ?? ''),
        'products.lines_sold': of(products, (p) => (p.sold === undefined ? 0 : 1)),
        'products.units_sold': of(products, (p) => p.sold ?? '0'),
        'products.units_returned': of(products, (p) => p.returned ?? '0'),
        'products.units_restocked': of(products, (p) => p.returned ?? '0'),
        'products.revenue': of(products, (p) => p.revenue ?? '0'),
        'products.refunds': of(products, (p) => p.returned ?? '0'),
      },
    ]);
    await warehouse.insert('daily_channels', [
      {
        ...key,
        'credits.model': of(credits, () => 'linear'),
        'credits.channel': of(credits, (c) => c.channel),
        'credits.parts': of(credits, (c) => c.parts ?? 1),
        'credits.orders': of(credits, () => 1),
        'credits.revenue': of(credits, (c) => c.revenue),
        'credits.refunds': of(credits, () => '0.000001'),
        'credits.proved_orders': of(credits, (c) => (c.proved === undefined ? 0 : 1)),
        'credits.proved_revenue': of(credits, (c) => c.proved ?? '0'),
        'credits.proved_refunds': of(credits, () => '0'),
      },
    ]);
  }

  /** All rows, their moments by their place in the order of all moments. */
  const histories = ({ warehouse }: EarlierDatabase): Promise<unknown[]> =>
    Promise.all(
      ['daily_products_history', 'daily_channels_history'].map((table) =>
        warehouse.query(
          `WITH (SELECT arraySort(groupUniqArrayArray([held_since, held_until])) FROM ${table} WHERE NOT (${MARKERS[table]})) AS moments
           SELECT * REPLACE (indexOf(moments, held_since) AS held_since, indexOf(moments, held_until) AS held_until)
           FROM ${table} FINAL WHERE NOT (${MARKERS[table]})
           ORDER BY ALL`,
        ),
      ),
    );
  const lastRebuild = async ({ warehouse }: EarlierDatabase): Promise<unknown[]> =>
    Promise.all(
      Object.entries(MARKERS).map(([table, isMarker]) =>
        warehouse.query(`SELECT toString(computed_at) AS at FROM ${table} FINAL WHERE ${isMarker}`),
      ),
    );

  for (const [what, rebuild] of Object.entries(REBUILDS)) {
    it(`writes the same rows as before: ${what}`, async () => {
      await Promise.all([write(earlier, rebuild), write(newest, rebuild)]);
      expect(await histories(newest)).to.deep.equal(await histories(earlier));
      expect(await lastRebuild(newest)).to.deep.equal(await lastRebuild(earlier));
    });
  }
});

/** The row that says which rebuild of the day was the last. */
const MARKERS: Readonly<Record<string, string>> = {
  daily_products_history: "sku = '' AND cost_day = toDate(0)",
  daily_channels_history: "model = ''",
};
