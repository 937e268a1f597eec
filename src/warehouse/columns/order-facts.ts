import { versionOf, type OrderFact } from '../../domain/metrics/order-fact.js';
import { ORDER_AMOUNTS } from '../../domain/metrics/sums.js';
import { parseDay } from '../../domain/time.js';
import type { EncodedRows } from '../insert-rows.js';
import { columns, headOf, list, type Column } from './columns.js';
import { RowBinaryWriter } from './row-binary.js';

const NONE: readonly string[] = [];
const dayOf = (day: string): number => parseDay(day) ?? 0;

const ORDER_FACTS = columns<OrderFact>([
  ['shop_id', 'String', ({ open }) => open.shop_id],
  ['day', 'Date', ({ open }) => dayOf(open.day)],
  ['order_id', 'String', ({ open }) => open.order_id],
  ['version', 'UInt256', ({ open, stamp }) => versionOf(open.version, stamp)],
  ['in_products', 'UInt8', ({ open }) => Number(open.in_products)],
  ['placed_day', 'Date', ({ open }) => dayOf(open.placed_day)],
  ['orders', 'UInt8', ({ open }) => open.orders],
  ...ORDER_AMOUNTS.map(({ name }, i): Column<OrderFact> => [
    name,
    'Decimal(38, 6)',
    ({ amounts }) => amounts[i] ?? '0',
  ]),
  ['orders_fee_actual', 'UInt8', ({ hasFee }) => Number(hasFee)],
  ['orders_tax_present', 'UInt8', ({ hasTax }) => Number(hasTax)],
  ['orders_fulfillment_known', 'UInt8', ({ isFulfillmentKnown }) => Number(isFulfillmentKnown)],
  ['cogs', 'Decimal(76, 12)', ({ cogs }) => cogs],
  list('uncosted_skus', 'String', ({ uncostedSkus }) => uncostedSkus),
  ['estimable_gateway', 'String', ({ estimableGateway }) => estimableGateway],
  ['last_touch', 'LowCardinality(String)', ({ credit }) => credit.last_touch],
  ['last_evidence', 'LowCardinality(String)', ({ credit }) => credit.last_evidence],
  ['last_campaign', 'LowCardinality(String)', ({ credit }) => credit.last_campaign],
  ['first_touch', 'LowCardinality(String)', ({ credit }) => credit.first_touch],
  ['first_evidence', 'LowCardinality(String)', ({ credit }) => credit.first_evidence],
  ['first_campaign', 'LowCardinality(String)', ({ credit }) => credit.first_campaign],
  ['touches', 'UInt32', ({ credit }) => credit.touches],
  ['loss', 'LowCardinality(String)', ({ credit }) => credit.loss],
  list('linear.channel', 'LowCardinality(String)', ({ credit }) => credit.linear.channels),
  list('linear.evidence', 'LowCardinality(String)', ({ credit }) => credit.linear.evidence),
  list('linear.campaign', 'LowCardinality(String)', ({ credit }) => credit.linear.campaigns),
  list('linear.touches', 'UInt32', ({ credit }) => credit.linear.touches),
  ['is_listed', 'Bool', ({ listed }) => listed !== undefined],
  ['order_name', 'String', ({ listed }) => listed?.order.order_name ?? ''],
  ['placed_at', "DateTime64(6, 'UTC')", ({ listed }) => listed?.order.placed_at ?? 0],
  ['updated_at', "DateTime64(6, 'UTC')", ({ listed }) => listed?.order.updated_at ?? 0],
  ['received_at', 'UInt64', ({ listed }) => listed?.order.received_at ?? 0],
  ['status', 'LowCardinality(String)', ({ listed }) => listed?.order.status ?? ''],
  ['is_test', 'Bool', ({ listed }) => listed?.order.is_test ?? false],
  ['payment_gateway', 'LowCardinality(String)', ({ listed }) => listed?.order.payment_gateway ?? ''],
  ['gateway', 'LowCardinality(String)', ({ listed }) => listed?.order.gateway ?? ''],
  ['is_warned', 'Bool', ({ listed }) => listed?.order.is_warned ?? false],
  ['has_gateway_fee', 'Bool', ({ listed }) => listed?.hasFee ?? false],
  ['order_revenue', 'Decimal(38, 6)', ({ listed }) => listed?.order.total ?? '0'],
  ['order_refunds', 'Decimal(38, 6)', ({ listed }) => listed?.refunds ?? '0'],
  ['refunded_units', 'Decimal(38, 6)', ({ listed }) => listed?.refundedUnits ?? '0'],
  ['order_gateway_fees', 'Decimal(38, 6)', ({ listed }) => listed?.fees ?? '0'],
  ['order_tax', 'Decimal(38, 6)', ({ listed }) => listed?.order.tax ?? '0'],
  ['order_tax_refunded', 'Decimal(38, 6)', ({ listed }) => listed?.taxRefunded ?? '0'],
  ['fulfillment_cost', 'Nullable(Decimal(38, 6))', ({ listed }) => listed?.fulfillmentCost ?? undefined],
  ['order_cogs', 'Decimal(76, 12)', ({ listed }) => listed?.cogs ?? 0n],
  ['lines_without_cost', 'UInt64', ({ listed }) => listed?.linesWithoutCost ?? 0],
  list('skus', 'String', ({ skus }) => skus),
  ['customer_id', 'String', ({ listed }) => listed?.order.customer_id ?? ''],
  ['country', 'LowCardinality(String)', ({ listed }) => listed?.order.country ?? ''],
  ['sales_channel', 'LowCardinality(String)', ({ listed }) => listed?.order.sales_channel ?? ''],
  list('discount_codes', 'LowCardinality(String)', ({ listed }) => listed?.order.discount_codes ?? NONE),
  list('tags', 'LowCardinality(String)', ({ listed }) => listed?.order.tags ?? NONE),
]);

const HEAD = headOf(ORDER_FACTS);
/** Room for a row; larger ones make their own. */
const BYTES = 640;

/** Rows of `order_facts`. As JSON an order of one line took the engine 34 µs, as bytes 16. */
export function encodeFacts(facts: readonly OrderFact[]): EncodedRows {
  const rows = new RowBinaryWriter(BYTES * facts.length);
  for (const fact of facts) ORDER_FACTS.write(rows, fact);
  return { head: HEAD, rows: rows.bytes() };
}
