import { Agent } from 'node:http';
import { literal } from '../../src/warehouse/sql.js';
import { rebuildRollups, storedDays } from '../../src/warehouse/queries/rollups.js';
import type { BenchContext } from './context.js';
import { milliseconds, type Ratio, type Section } from './harness.js';
import { read } from './http-get.js';

const CALLS = 40;
const ORDERS = 10_000_000;
/** Ten years; the last thirty days are asked for. */
const FIRST_DAY = '2016-01-01';
const DAYS = 3_650;
const RANGE_DAYS = { from: '2025-11-29', to: '2025-12-28' };
const RANGE = `from=${RANGE_DAYS.from}&to=${RANGE_DAYS.to}`;
const ORDERS_PER_INSERT = 100_000;
const ARTICLES = 2_000;
const GOAL_MS = 200;

const PAGES = [
  ...['', 'sku=SKU-7', 'gateway=PayPal', 'channel=email', 'missing_cost=1'].map(
    (filter) => `orders?${RANGE}&${filter}`,
  ),
  ...['figure=net_profit', 'figure=cogs', 'figure=cogs&sort=amount', 'figure=cogs&sku=SKU-7'].map(
    (figure) => `metrics/explain?${RANGE}&${figure}`,
  ),
  ...['', 'missing_cost=1', 'sort=sku'].map((filter) => `products?${RANGE}&${filter}`),
];

/** The first pages of orders, of what figures are made of and of products, over 30 days of a shop with 10^7 orders. */
export const firstPages: Section<Pick<BenchContext, 'service' | 'warehouse' | 'takeStamps' | 'newShop'>> = {
  name: 'first-pages',
  async run({ service, warehouse, takeStamps, newShop }) {
    const { shopId, key } = await newShop('first-pages');
    await writeOrders({ warehouse }, shopId, ORDERS);
    await rebuildRollups(warehouse, await storedDays(warehouse, { shopId, ...RANGE_DAYS }), takeStamps);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ratios: Ratio[] = [];
    try {
      for (const page of PAGES) {
        const time = await p95(() => read(`${service.url}/v1/${page}`, key, agent));
        const what = `${page.replace(`${RANGE}&`, '')}: first page of 30 days at 10^7 orders, p95`;
        ratios.push({
          what,
          ours: milliseconds(time),
          against: milliseconds(GOAL_MS),
          ratio: time / GOAL_MS,
          goal: { atMost: 1 },
        });
      }
    } finally {
      agent.destroy();
    }
    return ratios;
  },
};

async function p95(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i <= CALLS; i++) {
    const startedAt = performance.now();
    await call();
    if (i > 0) times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[Math.ceil(CALLS * 0.95) - 1] ?? NaN;
}

/**
 * Orders straight in the warehouse: one to four lines whose costs the catalog knows but for one SKU, one order in sixteen
 * partly refunded, one in nine credited to a channel.
 */
async function writeOrders(
  { warehouse }: Pick<BenchContext, 'warehouse'>,
  shopId: string,
  orders: number,
): Promise<void> {
  const shop = literal(shopId);
  const day = `toDate('${FIRST_DAY}') + intDiv(number * ${DAYS}, ${orders})`;
  const id = 'toString(5000000000000 + number * 32768)';
  const sku = `concat('SKU-', toString(cityHash64(number, i) % ${ARTICLES}))`;
  const version = 'bitShiftLeft(toUInt128(1700000000000000), 64) + number';
  await warehouse.command(`
    INSERT INTO product_costs (shop_id, sku, effective_from, unit_cost, currency, version, is_deleted)
    SELECT ${shop}, concat('SKU-', toString(1 + number % ${ARTICLES})), toDate('1970-01-01') + 16800 * intDiv(number, ${ARTICLES}),
           toDecimal128(2 + number % 17, 6), 'GBP', 1, 0
    FROM numbers(${2 * ARTICLES})`);
  for (let from = 0; from < orders; from += ORDERS_PER_INSERT) {
    const numbers = `(SELECT number, 1 + number % 4 AS lines, number % 16 = 0 AS back FROM numbers(${from}, ${ORDERS_PER_INSERT}))`;
    await warehouse.command(`
      INSERT INTO orders (shop_id, order_id, version, is_deleted, placed_at, placed_day, updated_at, currency, status, total,
        payment_gateway, gateway_fee, line_items.line_id, line_items.quantity, line_items.unit_price, line_items.sku,
        line_items.line_discount, line_items.unit_cost, line_items.product_id, line_items.title,
        refunds.refund_id, refunds.refunded_at, refunds.refunded_day, refunds.total, refunds.tax_refund, refunds.shipping_refund,
        refunds.gateway_fee_refund, refunds.gift_card_refund, refunds.store_credit,
        refund_lines.refund_id, refund_lines.line_id, refund_lines.quantity, refund_lines.restock)
      SELECT ${shop}, ${id}, ${version}, 0, toDateTime64(${day}, 6, 'UTC') + number % 86000, ${day}, toDateTime64(${day}, 6, 'UTC'),
        'GBP', 'paid', toDecimal128(10 + number % 190, 6), 'paypal', if(number % 5 = 0, toDecimal128('0.35', 6), NULL),
        arrayMap(i -> toString(i), range(lines)), arrayMap(i -> toDecimal128(1 + i % 2, 6), range(lines)),
        arrayMap(i -> toDecimal128(9, 6), range(lines)), arrayMap(i -> ${sku}, range(lines)),
        arrayMap(i -> toDecimal128(0, 6), range(lines)), arrayMap(i -> CAST(NULL, 'Nullable(Decimal(38, 6))'), range(lines)),
        arrayMap(i -> '', range(lines)), arrayMap(i -> concat('Article ', ${sku}), range(lines)),
        if(back, ['r'], []), if(back, [toDateTime64(${day}, 6, 'UTC')], []), if(back, [${day}], []),
        if(back, [toDecimal128(5, 6)], []), if(back, [toDecimal128(0, 6)], []), if(back, [toDecimal128(0, 6)], []),
        if(back, [toDecimal128(0, 6)], []), if(back, [toDecimal128(0, 6)], []), if(back, [false], []),
        if(back, ['r'], []), if(back, ['0'], []), if(back, [toDecimal128(1, 6)], []), if(back, [true], [])
      FROM ${numbers}`);
    await warehouse.command(`
      INSERT INTO order_days (shop_id, day, order_id, version, is_deleted, placed_day, orders, revenue, refunds, gateway_fees,
        has_gateway_fee, payment_gateway, lines.sku, lines.quantity, lines.unit_cost, lines.restock,
        refund_list.refund_id, refund_list.refunded_at, refund_list.total, refund_list.tax_refund, refund_list.shipping_refund,
        refund_list.gateway_fee_refund, refund_list.gift_card_refund, refund_list.store_credit,
        refund_lines.refund_id, refund_lines.line_id, refund_lines.quantity, refund_lines.restock, refund_lines.sku,
        refund_lines.unit_price, refund_lines.unit_cost)
      SELECT ${shop}, ${day}, ${id}, ${version}, 0, ${day}, 1, toDecimal128(10 + number % 190, 6), toDecimal128(if(back, 5, 0), 6),
        toDecimal128(if(number % 5 = 0, '0.35', '0'), 6), number % 5 = 0, 'paypal',
        arrayConcat(arrayMap(i -> ${sku}, range(lines)), if(back, [${sku.replace('i)', '0)')}], [])),
        arrayConcat(arrayMap(i -> toDecimal128(1 + i % 2, 6), range(lines)), if(back, [toDecimal128(1, 6)], [])),
        arrayMap(i -> CAST(NULL, 'Nullable(Decimal(38, 6))'), range(lines + back)),
        arrayMap(i -> i = lines, range(lines + back)),
        if(back, ['r'], []), if(back, [toDateTime64(${day}, 6, 'UTC')], []), if(back, [toDecimal128(5, 6)], []),
        if(back, [toDecimal128(0, 6)], []), if(back, [toDecimal128(0, 6)], []), if(back, [toDecimal128(0, 6)], []),
        if(back, [toDecimal128(0, 6)], []), if(back, [false], []),
        if(back, ['r'], []), if(back, ['0'], []), if(back, [toDecimal128(1, 6)], []), if(back, [true], []),
        if(back, [${sku.replace('i)', '0)')}], []), if(back, [toDecimal128(9, 6)], []),
        if(back, [CAST(NULL, 'Nullable(Decimal(38, 6))')], [])
      FROM ${numbers}`);
    await warehouse.command(`
      INSERT INTO order_attribution (shop_id, placed_day, order_id, version, last_touch)
      SELECT ${shop}, ${day}, ${id}, 1, 'email' FROM ${numbers} WHERE number % 9 = 0`);
  }
}
