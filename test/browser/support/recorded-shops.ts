import type { Shop } from '../../support/service.js';
import { order as orderOf, rent } from './app.js';

/** The moment of the pages that show recorded answers; the days of their shops end with it. */
export const MOMENT = '2026-03-02T12:00:00Z';
/** The day so many days before it. */
export const dayBefore = (days: number): string =>
  new Date(Date.parse(MOMENT) - days * 86_400_000).toISOString().slice(0, 10);
export const TODAY = dayBefore(0);

type Push = Pick<Shop, 'call'>;

const at = (day: number): string => `${dayBefore(day)}T00:00:00Z`;
const order = (id: string, fields: Record<string, unknown> = {}) => orderOf(id, { placed_at: at(0), ...fields });
const refunds = (total: string, day = 0, id = 'r') => [{ refund_id: id, refunded_at: at(day), total }];

async function orders(shop: Push, pushed: ReturnType<typeof order>[]): Promise<void> {
  const { body } = await shop.call('POST', '/v1/orders', { orders: pushed });
  if (body.accepted !== pushed.length) throw new Error(JSON.stringify(body));
}

async function selling(shop: Push): Promise<void> {
  await orders(shop, [order('1'), order('2', { refunds: refunds('200.005') })]);
}

/** Twelve orders of one product each, half of them refunded beyond what was paid. */
async function losses(shop: Push): Promise<void> {
  const all = Array.from({ length: 12 }, (_, i) =>
    order(`L-${i}`, {
      line_items: [{ line_id: '1', sku: `SKU-${i % 7}`, quantity: '1', unit_price: `${10 + i}.5`, unit_cost: '1.25' }],
      total: `${10 + i}.5`,
      gateway_fee: '0.3',
      refunds: i % 2 === 0 ? [] : refunds(`${100 * i}.005`, 0, `r-${i}`),
    }),
  );
  await orders(shop, all);
}

const HUGE = '99999999999999.99';
const line = (fields: Record<string, unknown>) => [{ line_id: '1', quantity: '1', ...fields }];

/** What the shops are sent whose answers are recorded. */
export const SHOPS = {
  /** Two orders of today and a refund. */
  selling,
  /** The same with a rent. */
  renting: async (shop: Push) => {
    await selling(shop);
    await shop.call('POST', '/v1/costs/expenses', rent({ started_on: TODAY }));
  },
  /** The same with an order of yesterday without costs. */
  'cost-missing': async (shop: Push) => {
    await selling(shop);
    const line_items = [{ line_id: '1', quantity: '3', unit_price: '411.50' }];
    await orders(shop, [order('3', { placed_at: at(1), line_items, gateway_fee: undefined })]);
  },
  /** A loss yesterday and a profit today. */
  recovering: (shop: Push) =>
    orders(shop, [
      order('1', {
        placed_at: at(1),
        total: '10',
        line_items: line({ unit_price: '10', unit_cost: '110' }),
        gateway_fee: '0',
      }),
      order('2', { total: '160', line_items: line({ unit_price: '160', unit_cost: '110' }) }),
    ]),
  /** Spend in another currency than that of the shop. */
  'spend-abroad': async (shop: Push) => {
    await orders(shop, [order('1')]);
    const rows = [{ channel: 'Radio', event_date: TODAY, currency: 'EUR', spend: '12.5' }];
    await shop.call('POST', '/v1/costs/spend', { rows });
  },
  /** The longest amounts. */
  huge: async (shop: Push) => {
    const line_items = line({ unit_price: HUGE });
    await orders(shop, [order('1', { total: HUGE, line_items, refunds: refunds(`1${HUGE}`) })]);
    await shop.call('POST', '/v1/costs/expenses', rent({ started_on: TODAY, amount: HUGE }));
  },
  /** Orders on ten days and the ten before; one day has the most of what was refunded. */
  'twenty-days': (shop: Push) =>
    orders(
      shop,
      Array.from({ length: 20 }, (_, i) =>
        order(`D-${i}`, {
          placed_at: at(i),
          refunds: i === 4 ? refunds('1300.125', 4) : i === 6 ? refunds('12', 6) : [],
        }),
      ),
    ),
  losses,
  /** The same with eight small refunds. */
  'more-losses': async (shop: Push) => {
    await losses(shop);
    await orders(
      shop,
      Array.from({ length: 8 }, (_, i) => order(`M-${i}`, { refunds: refunds('2', 0, `m-${i}`) })),
    );
  },
  /** Customers of three months: one that came back, one that did not pay back, and an order without a customer. */
  customers: async (shop: Push) => {
    const of = (id: string, day: string, fields: object = {}) =>
      order(id, { placed_at: `${day}T12:00:00Z`, refunds: [], ...fields });
    await orders(shop, [
      of('1', '2025-12-10', { customer: { id: 'a' } }),
      of('2', '2026-01-20', {
        customer: { id: 'b' },
        total: '440.005',
        line_items: line({ unit_price: '440.005', unit_cost: '410' }),
      }),
      of('3', '2026-02-11', { customer: { id: 'b' } }),
      of('4', '2026-02-12', { customer: { id: 'c' }, gateway_fee: '3.3333' }),
      of('5', '2026-02-14'),
      of('6', '2026-02-15', { customer: { id: 'd' } }),
    ]);
    const spent = (event_date: string, spend: string) => ({ channel: 'Radio', event_date, currency: 'GBP', spend });
    await shop.call('POST', '/v1/costs/spend', {
      rows: [spent('2026-01-05', '100'), spent('2026-02-05', '9000.25'), spent('2026-03-01', '7')],
    });
  },
  /** An order in dollars and in Los Angeles. */
  'los-angeles': (shop: Push) =>
    orders(shop, [
      order('1', {
        placed_at: '2026-02-20T12:00:00Z',
        currency: 'USD',
        total: '10',
        line_items: line({ unit_price: '10' }),
        gateway_fee: undefined,
      }),
    ]),
} satisfies Record<string, (shop: Push) => Promise<void>>;

export type ShopName = keyof typeof SHOPS;

export const settingsOf = (name: ShopName) =>
  name === 'los-angeles' ? { currency: 'USD', timezone: 'America/Los_Angeles' } : { currency: 'GBP', timezone: 'UTC' };
