import { SUMS, type SumName } from '../../domain/metrics/sums.js';
import { ONE_THREAD } from '../sql.js';
import {
  checks,
  count,
  digits,
  estimableHash,
  FINE,
  gatewayHash,
  hash,
  placedHash,
  productHash,
  restockedHash,
  returnedHash,
  SHOP,
  soldHash,
  spendHash,
  weighed,
  WINDOW,
} from './checksum-terms.js';

const COUNTS = new Set<SumName>(['orders', 'orders_fee_actual', 'orders_tax_present', 'orders_fulfillment_known']);
const FLAGS: readonly (readonly [SumName, string])[] = [
  ['orders', 'orders'],
  ['orders_fee_actual', 'has_gateway_fee'],
  ['orders_tax_present', 'has_tax'],
  ['orders_fulfillment_known', 'has_fulfillment_cost'],
];
/** The columns of `order_days`, and of `order_facts`. */
const AMOUNTS = SUMS.map(({ name }) => name).filter(
  (name) => !COUNTS.has(name) && !['cogs', 'orders_costed', 'revenue_uncosted'].includes(name),
);

export const STORED_DAYS = `SELECT toString(d.day) AS day, ${checks({
  order_days: `cityHash64(d.order_id) * (${weighed({
    ...Object.fromEntries(FLAGS.map(([name, column]) => [name, count(`d.${column}`)])),
    ...Object.fromEntries(AMOUNTS.map((name) => [name, digits(`d.${name}`)])),
  })}
    + if(d.orders = 1, ${gatewayHash('d.payment_gateway')}, 0)
    + arraySum((s, q, c, r) -> if(r, ${restockedHash('s', 'c')}, ${soldHash('s', 'c')}) * ${digits('q')},
        d.lines.sku, d.lines.quantity, d.lines.unit_cost, d.lines.restock)
    + arraySum((l, s, p, c, n, t, q) -> ${returnedHash('l', 's', 'p', 'c', 'n', 't')} * ${digits('q')},
        d.refund_lines.line_id, d.refund_lines.sku, d.refund_lines.unit_price, d.refund_lines.unit_cost, d.refund_lines.sold,
        d.refund_lines.line_discount, d.refund_lines.quantity))`,
})}
  FROM order_days AS d FINAL WHERE d.${SHOP} AND d.day ${WINDOW} GROUP BY d.day ${ONE_THREAD}`;

export const STORED_FACTS = `SELECT toString(f.day) AS day, map('order_facts', toInt64(${weighed(
  Object.fromEntries(
    [...COUNTS, ...AMOUNTS, 'cogs' as const].map((name) => [name, digits(`toDecimal256(sum(f.${name}), 12)`)]),
  ),
)})) AS checksums
  FROM order_facts AS f FINAL WHERE f.${SHOP} AND f.day ${WINDOW} GROUP BY f.day ${ONE_THREAD}`;

export const STORED_FIGURES = `SELECT toString(r.day) AS day, ${checks({
  daily_orders: `arraySum((n, v) -> cityHash64(n) * ${digits('v')}, mapKeys(r.sums), mapValues(r.sums))
    + arraySum((n, v) -> ${placedHash('n')} * ${digits('v')}, mapKeys(r.placed_sums), mapValues(r.placed_sums))
    + arraySum((g, n, v) -> ${estimableHash('g')} * (n * 1000000 + ${digits('v')}) * ${FINE}, r.estimable.payment_gateway,
        r.estimable.orders, r.estimable.revenue)
    + arraySum((h, c, a) -> ${spendHash('h', 'c')} * ${digits('a')}, r.spend.channel, r.spend.currency, r.spend.amount)`,
})}
  FROM daily_orders AS r FINAL WHERE r.${SHOP} AND r.day ${WINDOW} GROUP BY r.day ${ONE_THREAD}`;

export const STORED_PRODUCTS = `SELECT toString(r.day) AS day, ${checks({
  daily_products: `${productHash('e_sku', 'e_day', 'e_cost')} * (${weighed({
    lines_sold: `e_lines * toUInt64(1000000) * ${FINE}`,
    units_sold: `${digits('e_sold')} * ${FINE}`,
    units_returned: `${digits('e_returned')} * ${FINE}`,
    units_restocked: `${digits('e_restocked')} * ${FINE}`,
    revenue: digits('e_revenue'),
    refunds: digits('e_refunds'),
    discounts: `${digits('e_discounts')} * ${FINE}`,
  })})`,
})}
  FROM daily_products AS r FINAL
  ARRAY JOIN r.products.sku AS e_sku, r.products.cost_day AS e_day, r.products.unit_cost AS e_cost,
    r.products.lines_sold AS e_lines, r.products.units_sold AS e_sold, r.products.units_returned AS e_returned,
    r.products.units_restocked AS e_restocked, r.products.revenue AS e_revenue, r.products.refunds AS e_refunds,
    r.products.discounts AS e_discounts
  WHERE r.${SHOP} AND r.day ${WINDOW} GROUP BY r.day ${ONE_THREAD}`;

/** Orders that have left the range are audited on their new day. */
export const STORED_KEYS = `SELECT toString(o.placed_day) AS day, ${checks({
  order_keys: `if(k.is_deleted, 0, ${hash('k.order_id', 'k.day', 'k.version')})`,
})}
  FROM order_keys AS k FINAL
  INNER JOIN (SELECT o.order_id AS order_id, o.placed_day AS placed_day FROM orders AS o FINAL WHERE o.${SHOP} AND o.placed_day ${WINDOW}) AS o
    ON o.order_id = k.order_id
  WHERE k.${SHOP} AND k.order_id IN (SELECT o.order_id FROM orders AS o WHERE o.${SHOP} AND o.placed_day ${WINDOW})
  GROUP BY o.placed_day ${ONE_THREAD}`;
