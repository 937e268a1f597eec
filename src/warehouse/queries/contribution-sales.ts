import { partNumber, type ContributionFilter } from '../../domain/metrics/contributions.js';
import type { Part, Signs } from '../../domain/metrics/figure-list.js';
import { plain, select } from './contribution-columns.js';
import { IS_FRACTIONAL } from './contribution-orders.js';

/** What the lines of the orders were sold for, from `orders`, which alone has their prices. */
export function sales(signs: Signs, { sku }: ContributionFilter, isFractional = false): string {
  const entry = (part: Part, size: string): string => `(toUInt8(${partNumber(part)}), ${size})`;
  const lists = [
    ...(signs.gross_sale === undefined
      ? []
      : [`[${entry('gross_sale', 'toDecimal256(line_quantity, 6) * toDecimal256(line_price, 8)')}]`]),
    ...(signs.line_discount === undefined
      ? []
      : [`if(line_discount = 0, [], [${entry('line_discount', plain('line_discount'))}])`]),
  ];
  return select(
    {
      part: 'entry.1',
      day: 's.day',
      id: 's.order_id',
      item: 's.number',
      size: 'entry.2',
      placed_day: 's.day',
      version: 's.version',
      line_id: 's.line_id',
      sku: 's.sku',
      quantity: 's.quantity',
    },
    `(
      SELECT o.placed_day AS day, o.order_id AS order_id, o.version AS version, toUInt32(line_number) AS number,
        line_id, line_sku AS sku, line_quantity AS quantity,
        ${lists.length === 1 ? lists.join() : `arrayConcat(${lists.join(', ')})`} AS entries
      FROM orders AS o FINAL
      ARRAY JOIN o.line_items.line_id AS line_id, o.line_items.sku AS line_sku, o.line_items.quantity AS line_quantity,
        o.line_items.unit_price AS line_price, o.line_items.line_discount AS line_discount,
        arrayEnumerate(o.line_items.line_id) AS line_number
      WHERE o.shop_id = {shop:String} AND o.placed_day BETWEEN {first:Date} AND {last:Date}
        AND (o.placed_day, o.order_id) IN (SELECT d.day, d.order_id FROM days AS d WHERE d.orders = 1)${
          sku === undefined ? '' : '\n        AND line_sku = {sku:String}'
        }${isFractional ? `\n        AND ${IS_FRACTIONAL}` : ''}
    ) AS s ARRAY JOIN s.entries AS entry`,
  );
}
