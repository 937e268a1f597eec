import { OrderSummary } from '../../schemas/order-reads.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { FILE_FORMS, fileStatement, type FileForm, type FileFormat } from '../file-rows.js';
import type { Statement } from '../query.js';
import { AMOUNTS, CHANNEL, countedIn } from './order-filter.js';
import { estimateOf, EXACT_DECIMALS, hasRule, profitOf, type ToDecimal } from './order-profits.js';
import { listedOrders, type OrderedList } from './order-rows.js';

const COLUMNS = [...AMOUNTS, ...'order_id order_name placed_at placed_day is_test gateway'.split(' ')]
  .concat('has_gateway_fee fulfillment_cost lines_without_cost updated_at received_at'.split(' '))
  .map((name) => `o.${name} AS ${name}`)
  .join(', ');

/** An amount below that is computed in 128 bits, with 14 digits behind the point; others in 256, which takes five times as long. */
const SMALL = "toDecimal128('100000000000000000000', 6)";
const WIDE: ToDecimal = (value, decimals) => `toDecimal256(${value}, ${decimals})`;
const NARROW: ToDecimal = (value, decimals) => `toDecimal128(${value}, ${decimals})`;
/** Of the two, each order is computed in one alone. */
const ONE_OF_BOTH = "short_circuit_function_evaluation = 'force_enable'";

type Field = keyof typeof OrderSummary.properties;
const FIELDS = Object.keys(OrderSummary.properties) as Field[];

/** The amounts of an order `o`. */
function amountsOf(rules: readonly GatewayFeeRule[], { amount: of, wideAmount: ofWide, zero }: FileForm) {
  const exact = (value: string) => (to: ToDecimal) => to(value, EXACT_DECIMALS);
  const figure = (amount: (to: ToDecimal) => string): string => {
    const rounded = (to: ToDecimal): string => `round(${amount(to)}, 6)`;
    return `multiIf(NOT o.counted, ${zero}, o.is_small, ${of(rounded(NARROW))}, ${ofWide(rounded(WIDE))})`;
  };
  const stored = (value: string): string => `if(o.counted, ${of(value)}, ${zero})`;
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
    fulfillment_cost: of('o.fulfillment_cost'),
  };
}
/** The cells of an order `o`, as `toSummary` has it. */
function cellsOf(rules: readonly GatewayFeeRule[], form: FileForm): Record<Field, string> {
  const { text, time, day, flag, word } = form;
  const money = (name: keyof ReturnType<typeof amountsOf>): string => form.money(`o.${name}_amount`);
  return {
    order_id: text('o.order_id'),
    order_name: text('o.order_name'),
    placed_at: time('o.placed_at'),
    day: day('o.placed_day'),
    status: word('o.state'),
    counted: flag('o.counted'),
    why_not: word("multiIf(o.is_deleted, 'deleted', o.state IN ('voided', 'pending'), o.state, o.is_test, 'test', '')"),
    revenue: money('revenue'),
    refunds: money('refunds'),
    cogs: money('cogs'),
    gateway_fees: money('gateway_fees'),
    profit: money('profit'),
    taxes: money('taxes'),
    earnings: money('earnings'),
    fulfillment_cost: money('fulfillment_cost'),
    cogs_complete: flag('NOT o.counted OR o.lines_without_cost = 0'),
    fee_source: word(
      `multiIf(NOT o.counted, 'none', o.has_gateway_fee, 'actual', ${hasRule(rules)}, 'estimated', 'none')`,
    ),
    channel: text('o.touch'),
    refunded: money('refunds'),
    updated_at: time('o.updated_at'),
    received_at: time("fromUnixTimestamp64Micro(toInt64(o.received_at), 'UTC')"),
  };
}

/** The orders of a list as a file, with the fields of `OrderSummary` in their order: read once, whatever they are sorted by. */
export function orderFile(format: FileFormat, list: OrderedList): Statement {
  const { filter } = list;
  const form = FILE_FORMS[format];
  const isSmall = [...AMOUNTS.map((name) => `o.${name}`), 'ifNull(o.fulfillment_cost, 0)'].map(
    (amount) => `abs(${amount}) < ${SMALL}`,
  );
  const { sql, params } = listedOrders(
    list,
    () => `${COLUMNS}, toString(o.status) AS state, ${CHANNEL} AS touch, ${countedIn(filter)} AS counted,
      ${filter.status === 'deleted'} AS is_deleted, ${isSmall.join(' AND ')} AS is_small`,
  );
  const amounts = Object.entries(amountsOf(filter.rules, form)).map(([name, amount]) => `${amount} AS ${name}_amount`);
  const known = cellsOf(filter.rules, form);
  return fileStatement(format, 'orders', {
    cells: Object.fromEntries(FIELDS.map((field) => [field, known[field]])),
    from: `(SELECT *, ${amounts.join(', ')} FROM (${sql}) AS o) AS o`,
    settings: [ONE_OF_BOTH],
    params,
  });
}
