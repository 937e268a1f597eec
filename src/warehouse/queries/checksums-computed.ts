import type { SumName } from '../../domain/metrics/sums.js';
import { ONE_THREAD } from '../sql.js';
import {
  checks,
  count,
  digits,
  estimableHash,
  FINE,
  gatewayHash,
  hash,
  known,
  placedHash,
  productHash,
  restockedHash,
  returnedHash,
  SHOP,
  signed,
  soldHash,
  spendHash,
  weighed,
  WINDOW,
} from './checksum-terms.js';

const COUNTED = `o.status = 'paid' AND NOT o.is_test`;
const PLACED = `o.${SHOP} AND o.placed_day ${WINDOW}`;
/** Orders that were placed in the range, or have a row of one of its days. */
const TOUCHED = `o.${SHOP} AND (o.placed_day ${WINDOW} OR (o.placed_day, o.order_id) IN
    (SELECT d.placed_day, d.order_id FROM order_days AS d
     WHERE d.${SHOP} AND d.day ${WINDOW} AND NOT (d.placed_day ${WINDOW})))`;

const LINE_DISCOUNTS = `arraySum(d -> ${digits('d')}, o.line_items.line_discount)`;
const GROSS_SALES = `toUInt64(intDiv(arraySum((q, p) -> ${signed('q')} * ${signed('p')}, o.line_items.quantity,
  o.line_items.unit_price), 1000000))`;
const NONE = '0';

/** What an order adds to its placed day, and a refund `r` to its own: in millionths, as `order_days` has it. */
const SALE: Readonly<Record<SumName, string>> = {
  orders: count('1'),
  revenue: digits('o.total'),
  refunds: NONE,
  gateway_fees: known('o.gateway_fee'),
  orders_fee_actual: count('isNotNull(o.gateway_fee)'),
  orders_tax_present: count('isNotNull(o.tax)'),
  gross_sales: GROSS_SALES,
  discounts: `${digits('o.discounts')} + ${LINE_DISCOUNTS}`,
  line_discounts: LINE_DISCOUNTS,
  shipping: digits('o.shipping'),
  tips: digits('o.tips'),
  duties: digits('o.duties'),
  rounding_adjustment: digits('o.rounding_adjustment'),
  tax_added: `if(o.taxes_included, 0, ${known('o.tax')})`,
  tax: known('o.tax'),
  tax_refunded: NONE,
  fulfillment_costs: known('o.fulfillment_cost'),
  orders_fulfillment_known: count('isNotNull(o.fulfillment_cost)'),
  refunds_without_tax: NONE,
  // From the lines, with the catalog.
  cogs: NONE,
  orders_costed: NONE,
  revenue_uncosted: NONE,
};
const REFUND = weighed({
  refunds: digits('r_total'),
  gateway_fees: `-${digits('r_fee')}`,
  tax_refunded: known('r_tax'),
  refunds_without_tax: count(`isNull(r_tax) AND ifNull(o.tax, 0) > 0`),
});
/** How costs that are known apart change what the order says. */
const COSTS_KNOWN = weighed({
  gateway_fees: `if(isNull(x.gateway_fee), 0, ${known('x.gateway_fee')} - ${known('o.gateway_fee')})`,
  orders_fee_actual: count('isNotNull(x.gateway_fee) AND isNull(o.gateway_fee)'),
  fulfillment_costs: `if(isNull(x.fulfillment_cost), 0, ${known('x.fulfillment_cost')} - ${known('o.fulfillment_cost')})`,
  orders_fulfillment_known: count('isNotNull(x.fulfillment_cost) AND isNull(o.fulfillment_cost)'),
});

/** What the orders of a day bring, whatever the days of their refunds. */
const OWN_REFUNDS = [
  `${placedHash("'refunds'")} * arraySum(r -> ${digits('r')}, o.refunds.total)`,
  `${placedHash("'tax_refunded'")} * arraySum(r -> ${known('r')}, o.refunds.tax_refund)`,
  `${placedHash("'gateway_fees'")} * (if(isNull(x.gateway_fee), ${known('o.gateway_fee')}, ${known('x.gateway_fee')})
      - arraySum(r -> ${digits('r')}, o.refunds.gateway_fee_refund))`,
].join(' + ');

export const SALES = `SELECT toString(day) AS day, ${checks({
  order_days: `id * (own + ${gatewayHash('gateway')})`,
  order_facts: `(own + apart) * ${FINE}`,
  daily_orders: `(own + apart + placed) * ${FINE} + if(has_fee OR gateway = '', 0, ${estimableHash('gateway')} * (1000000 + revenue)) * ${FINE}`,
})}
  FROM (
    SELECT o.placed_day AS day, cityHash64(o.order_id) AS id, o.gateway AS gateway, ${digits('o.total')} AS revenue,
      isNotNull(o.gateway_fee) OR isNotNull(x.gateway_fee) AS has_fee, ${weighed(SALE)} AS own, ${COSTS_KNOWN} AS apart,
      ${OWN_REFUNDS} AS placed
    FROM orders AS o FINAL
    LEFT JOIN (
      SELECT c.order_id AS order_id, maxIf(toNullable(c.amount), c.kind = 'gateway_fee') AS gateway_fee,
        maxIf(toNullable(c.amount), c.kind = 'fulfillment_cost') AS fulfillment_cost
      FROM order_costs AS c FINAL
      WHERE c.${SHOP} AND (SELECT count() FROM (SELECT 1 FROM order_costs AS z WHERE z.${SHOP} LIMIT 1)) > 0
        AND c.order_id IN (SELECT o.order_id FROM orders AS o WHERE ${PLACED})
      GROUP BY c.order_id
    ) AS x ON x.order_id = o.order_id
    WHERE ${PLACED} AND ${COUNTED}
  ) GROUP BY day ${ONE_THREAD}`;

export const REFUNDS = `SELECT toString(day) AS day, ${checks({
  order_days: 'id * own',
  order_facts: `own * ${FINE}`,
  daily_orders: `own * ${FINE}`,
})}
  FROM (
    SELECT r_day AS day, cityHash64(o.order_id) AS id, ${REFUND} AS own
    FROM orders AS o FINAL
    ARRAY JOIN o.refunds.refunded_day AS r_day, o.refunds.total AS r_total, o.refunds.tax_refund AS r_tax,
      o.refunds.gateway_fee_refund AS r_fee
    WHERE ${TOUCHED} AND ${COUNTED} AND r_day ${WINDOW}
  ) GROUP BY day ${ONE_THREAD}`;

/** The unit cost of lines that say none: \`price_key\` is their SKU, `placed_day` the day that counts. */
const CATALOG = `ASOF LEFT JOIN (
    SELECT p.sku AS sku, p.since AS since, p.unit_cost AS unit_cost FROM product_costs AS p FINAL
    WHERE p.${SHOP} AND p.sku IN (SELECT arrayJoin(o.line_items.sku) FROM orders AS o WHERE ${TOUCHED})
  ) AS c ON c.sku = l.price_key AND c.since <= l.since`;
const COST = `if(isNull(l.own_cost), ${digits('c.unit_cost')}, ${known('l.own_cost')})`;

export const LINES = `SELECT toString(day) AS day, ${checks({
  order_days: 'sold',
  order_facts: 'cogs',
  daily_orders: `cogs + placed_cogs + if(uncosted > 0, cityHash64('revenue_uncosted') * revenue, cityHash64('orders_costed') * 1000000) * ${FINE}`,
  daily_products: 'product',
})}
  FROM (
    SELECT l.placed_day AS day, l.id AS id, any(${digits('l.total')}) AS revenue,
      sum(l.id * ${soldHash('l.sku', 'l.own_cost')} * ${digits('l.quantity')}) AS sold,
      sum(cityHash64('cogs') * ${digits('l.quantity')} * ${COST}) AS cogs,
      sum(${placedHash("'cogs'")} * ${digits('l.quantity')} * ${COST}) AS placed_cogs,
      countIf(isNull(l.own_cost) AND c.sku = '') AS uncosted,
      sum(${productHash('l.sku', 'l.placed_day', 'l.own_cost')} * (${weighed({
        lines_sold: `toUInt64(1000000) * ${FINE}`,
        units_sold: `${digits('l.quantity')} * ${FINE}`,
        discounts: `${digits('l.discount')} * ${FINE}`,
        revenue: `${digits('l.quantity')} * ${digits('l.price')} - ${digits('l.discount')} * ${FINE}`,
      })})) AS product
    FROM (
      SELECT o.placed_day AS placed_day, toDate32(o.placed_day) AS since, cityHash64(o.order_id) AS id, o.total AS total,
        l_sku AS sku, l_cost AS own_cost, if(isNull(l_cost), l_sku, '') AS price_key, l_quantity AS quantity, l_price AS price,
        l_discount AS discount
      FROM orders AS o FINAL
      ARRAY JOIN o.line_items.sku AS l_sku, o.line_items.unit_cost AS l_cost, o.line_items.quantity AS l_quantity,
        o.line_items.unit_price AS l_price, o.line_items.line_discount AS l_discount
      WHERE ${PLACED} AND ${COUNTED}
    ) AS l
    ${CATALOG}
    GROUP BY day, id
  ) GROUP BY day ${ONE_THREAD}`;

/** The discount of a line that comes back in part is cut where the columns end. */
const SHARE = `if(l.sold = 0, 0, toInt64(toUInt64(intDiv(${signed('l.quantity')} * ${signed('l.discount')} * 1000000,
  if(l.sold = 0, 1, ${signed('l.sold')})))))`;

export const RETURNS = `SELECT toString(l.day) AS day, ${checks({
  order_days: `l.id * ${digits('l.quantity')} * (${returnedHash('l.line_id', 'l.sku', 'l.price', 'l.own_cost', 'l.sold', 'l.discount')}
    + l.restock * ${restockedHash('l.sku', 'l.own_cost')})`,
  order_facts: `-l.restock * cityHash64('cogs') * ${digits('l.quantity')} * ${COST}`,
  daily_orders: `-l.restock * cityHash64('cogs') * ${digits('l.quantity')} * ${COST}`,
  daily_products: `${productHash('l.sku', 'l.placed_day', 'l.own_cost')} * (${weighed({
    units_returned: `${digits('l.quantity')} * ${FINE}`,
    units_restocked: `l.restock * ${digits('l.quantity')} * ${FINE}`,
    refunds: `${digits('l.quantity')} * ${digits('l.price')} - ${SHARE}`,
  })})`,
})}
  FROM (
    SELECT o.refunds.refunded_day[indexOf(o.refunds.refund_id, l_refund)] AS day, indexOf(o.line_items.line_id, l_line) AS i,
      o.placed_day AS placed_day, toDate32(o.placed_day) AS since, cityHash64(o.order_id) AS id, l_line AS line_id,
      l_quantity AS quantity, toInt8(l_restock) AS restock, o.line_items.sku[i] AS sku, o.line_items.unit_price[i] AS price,
      o.line_items.unit_cost[i] AS own_cost, if(isNull(own_cost), sku, '') AS price_key, o.line_items.quantity[i] AS sold,
      o.line_items.line_discount[i] AS discount
    FROM orders AS o FINAL
    ARRAY JOIN o.refund_lines.refund_id AS l_refund, o.refund_lines.line_id AS l_line, o.refund_lines.quantity AS l_quantity,
      o.refund_lines.restock AS l_restock
    WHERE ${TOUCHED} AND ${COUNTED} AND day ${WINDOW}
  ) AS l
  ${CATALOG}
  GROUP BY day ${ONE_THREAD}`;

/** What came back into stock of the orders placed in the range, whatever the days of their refunds. */
export const RESTOCKS = `SELECT toString(l.placed_day) AS day, ${checks({
  daily_orders: `-${placedHash("'cogs'")} * ${digits('l.quantity')} * ${COST}`,
})}
  FROM (
    SELECT indexOf(o.line_items.line_id, l_line) AS i, o.placed_day AS placed_day, toDate32(o.placed_day) AS since,
      l_quantity AS quantity, o.line_items.sku[i] AS sku, o.line_items.unit_cost[i] AS own_cost,
      if(isNull(own_cost), sku, '') AS price_key
    FROM orders AS o FINAL
    ARRAY JOIN o.refund_lines.line_id AS l_line, o.refund_lines.quantity AS l_quantity, o.refund_lines.restock AS l_restock
    WHERE ${PLACED} AND ${COUNTED} AND l_restock
  ) AS l
  ${CATALOG}
  GROUP BY l.placed_day ${ONE_THREAD}`;

/** Of live orders placed in the range, whether they count or not. */
export const KEYS = `SELECT toString(o.placed_day) AS day, ${checks({
  order_keys: `arraySum(d -> ${hash('o.order_id', 'd', 'o.version')},
    arrayDistinct(arrayConcat([o.placed_day], if(${COUNTED}, o.refunds.refunded_day, []))))`,
  daily_orders: `${placedHash("'listed'")} * 1000000 * ${FINE}`,
})}
  FROM orders AS o FINAL WHERE ${PLACED} GROUP BY o.placed_day ${ONE_THREAD}`;

export const SPEND = `SELECT toString(s.event_date) AS day, ${checks({
  daily_orders: `${spendHash('s.channel', 's.currency')} * ${digits('s.spend')}`,
})}
  FROM ad_spend AS s FINAL
  LEFT JOIN (
    SELECT z.event_date AS event_date, z.channel AS channel, z.currency AS currency, max(z.version) AS version
    FROM ad_spend_clears AS z WHERE z.${SHOP} AND z.event_date ${WINDOW} GROUP BY z.event_date, z.channel, z.currency
  ) AS c ON c.event_date = s.event_date AND c.channel = s.channel AND c.currency = s.currency
  WHERE s.${SHOP} AND s.event_date ${WINDOW} AND s.version >= c.version
  GROUP BY s.event_date ${ONE_THREAD}`;
