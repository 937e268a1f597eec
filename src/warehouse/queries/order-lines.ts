import { Type } from 'typebox';
import { OrderSummary } from '../../schemas/order-reads.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { amountText, dayCell, flagCell, lineOf, moneyCell, textCell, timeCell } from '../csv-cells.js';
import { defineQuery, type Query, type RowOf } from '../query.js';
import { CHANNEL, countedIn } from './order-filter.js';
import { estimateOf, EXACT_DECIMALS, hasRule, profitOf, type ToDecimal } from './order-profits.js';
import { KEY, partOfList, type ListPart } from './order-rows.js';

const LINES = defineQuery('orders of a file', { ...KEY, line: Type.String() });

const AMOUNTS = 'revenue refunds gateway_fees tax tax_refunded cogs'.split(' ');
const COLUMNS = [...AMOUNTS, ...'order_id order_name placed_at placed_day is_test gateway'.split(' ')]
  .concat('has_gateway_fee fulfillment_cost lines_without_cost updated_at received_at'.split(' '))
  .map((name) => `o.${name} AS ${name}`)
  .join(', ');

/** An amount below that is computed in 128 bits, with 14 digits behind the point; others in 256, which takes five times as long. */
const SMALL = "toDecimal128('100000000000000000000', 6)";
const WIDE: ToDecimal = (value, decimals) => `toDecimal256(${value}, ${decimals})`;
const NARROW: ToDecimal = (value, decimals) => `toDecimal128(${value}, ${decimals})`;
/** Of the two, each order is computed in one alone. */
const ONE_OF_BOTH = "SETTINGS short_circuit_function_evaluation = 'force_enable'";

type Field = keyof typeof OrderSummary.properties;
const FIELDS = Object.keys(OrderSummary.properties) as Field[];

/** The amounts of an order `o` as texts. */
function amountsOf(rules: readonly GatewayFeeRule[]) {
  const exact = (value: string) => (to: ToDecimal) => to(value, EXACT_DECIMALS);
  const figure = (amount: (to: ToDecimal) => string): string => {
    const text = (to: ToDecimal): string => amountText(`round(${amount(to)}, 6)`);
    return `multiIf(NOT o.counted, '0', o.is_small, ${text(NARROW)}, ${text(WIDE)})`;
  };
  const stored = (value: string): string => `if(o.counted, ${amountText(value)}, '0')`;
  const taxes = 'o.tax - o.tax_refunded';
  const others = exact(`${taxes} + ifNull(o.fulfillment_cost, toDecimal128(0, 6))`);
  return {
    revenue: stored('o.revenue'),
    refunds: stored('o.refunds'),
    cogs: figure(exact('o.cogs')),
    gateway_fees: figure((to) => `${exact('o.gateway_fees')(to)} + ${estimateOf(rules, to)}`),
    profit: figure((to) => profitOf(rules, to)),
    taxes: stored(taxes),
    earnings: figure((to) => `${profitOf(rules, to)} - ${others(to)}`),
    fulfillment_cost: amountText('o.fulfillment_cost'),
  };
}

/** The cells of an order `o`, as `toSummary` has it. */
function cellsOf(rules: readonly GatewayFeeRule[]): Record<Field, string> {
  const money = (name: keyof ReturnType<typeof amountsOf>): string => moneyCell(`o.${name}_text`);
  return {
    order_id: textCell('o.order_id'),
    order_name: textCell('o.order_name'),
    placed_at: timeCell('o.placed_at'),
    day: dayCell('o.placed_day'),
    status: 'o.state',
    counted: flagCell('o.counted'),
    why_not: "multiIf(o.is_deleted, 'deleted', o.state IN ('voided', 'pending'), o.state, o.is_test, 'test', '')",
    revenue: money('revenue'),
    refunds: money('refunds'),
    cogs: money('cogs'),
    gateway_fees: money('gateway_fees'),
    profit: money('profit'),
    taxes: money('taxes'),
    earnings: money('earnings'),
    fulfillment_cost: money('fulfillment_cost'),
    cogs_complete: flagCell('NOT o.counted OR o.lines_without_cost = 0'),
    fee_source: `multiIf(NOT o.counted, 'none', o.has_gateway_fee, 'actual', ${hasRule(rules)}, 'estimated', 'none')`,
    channel: textCell('o.touch'),
    refunded: money('refunds'),
    updated_at: timeCell('o.updated_at'),
    received_at: timeCell("fromUnixTimestamp64Micro(toInt64(o.received_at), 'UTC')"),
  };
}

/** Lines of CSV of the orders, with the fields of `OrderSummary` in their order. */
export function linesQuery(part: ListPart): Query<RowOf<typeof LINES>> {
  const { filter } = part;
  const isSmall = [...AMOUNTS.map((name) => `o.${name}`), 'ifNull(o.fulfillment_cost, 0)'].map(
    (amount) => `abs(${amount}) < ${SMALL}`,
  );
  const { sql, params } = partOfList(
    part,
    `${COLUMNS}, toString(o.status) AS state, ${CHANNEL} AS touch, ${countedIn(filter)} AS counted,
      ${filter.status === 'deleted'} AS is_deleted, ${isSmall.join(' AND ')} AS is_small`,
  );
  const texts = Object.entries(amountsOf(filter.rules)).map(([name, text]) => `${text} AS ${name}_text`);
  const cells = cellsOf(filter.rules);
  const line = lineOf(FIELDS.map((field) => cells[field]));
  return LINES(
    `SELECT o.value AS value, o.day AS day, o.placedAt AS placedAt, o.orderId AS orderId, ${line} AS line
    FROM (SELECT *, ${texts.join(', ')} FROM (${sql}) AS o) AS o ${ONE_OF_BOTH}`,
    params,
  );
}
