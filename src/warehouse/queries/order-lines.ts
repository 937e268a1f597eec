import { Type } from 'typebox';
import { OrderSummary } from '../../schemas/order-reads.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { amountText, dayCell, flagCell, lineOf, moneyCell, textCell, timeCell } from '../csv-cells.js';
import { LAST_COLUMN, PARQUET_SETTINGS } from '../parquet-part.js';
import { defineQuery, type Query, type QueryParams, type RowOf, type Statement } from '../query.js';
import { CHANNEL, countedIn } from './order-filter.js';
import { estimateOf, EXACT_DECIMALS, hasRule, profitOf, type ToDecimal } from './order-profits.js';
import { KEY, partOfList, type ListPart, type OrderKey } from './order-rows.js';

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

/** How a file has an amount. */
interface AmountForm {
  of: (amount: string) => string;
  /** Of one that may be too large for the file. */
  ofWide: (amount: string) => string;
  zero: string;
}
const TEXTS: AmountForm = { of: amountText, ofWide: amountText, zero: "'0'" };
const toFileDecimal = (amount: string): string => `CAST(${amount}, 'Nullable(Decimal(38, 6))')`;
/** The bytes of a decimal hold somewhat more than its digits: what has more of these is made to fail as what has more bytes. */
const DECIMALS: AmountForm = {
  of: toFileDecimal,
  ofWide: (amount) => toFileDecimal(`${amount} * if(abs(${amount}) < toDecimal256('1e32', 6), 1, 10)`),
  zero: toFileDecimal("'0'"),
};

/** The amounts of an order `o`. */
function amountsOf(rules: readonly GatewayFeeRule[], { of, ofWide, zero }: AmountForm) {
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
type AmountName = keyof ReturnType<typeof amountsOf>;

/** How a file has a value of each kind. */
interface Cells {
  text: (text: string) => string;
  time: (time: string) => string;
  day: (day: string) => string;
  flag: (flag: string) => string;
  /** Of a few words that need no quotes; empty: there is none. */
  word: (word: string) => string;
  money: (name: AmountName) => string;
}
const IN_LINES: Cells = {
  text: textCell,
  time: timeCell,
  day: dayCell,
  flag: flagCell,
  word: (word) => word,
  money: (name) => moneyCell(`o.${name}_amount`),
};
const orNull = (value: string): string => `toNullable(${value})`;
const IN_PARQUET: Cells = {
  text: (text) => `nullIf(${text}, '')`,
  time: orNull,
  day: orNull,
  flag: (flag) => orNull(`toBool(${flag})`),
  word: (word) => `nullIf(${word}, '')`,
  money: (name) => `o.${name}_amount`,
};

/** The cells of an order `o`, as `toSummary` has it. */
function cellsOf(rules: readonly GatewayFeeRule[], { text, time, day, flag, word, money }: Cells) {
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
  } satisfies Record<Field, string>;
}

/** The orders `o` of a part of a list with what cells are made of. */
function ordersOfFile(part: ListPart, form: AmountForm): { from: string; params: QueryParams } {
  const { filter } = part;
  const isSmall = [...AMOUNTS.map((name) => `o.${name}`), 'ifNull(o.fulfillment_cost, 0)'].map(
    (amount) => `abs(${amount}) < ${SMALL}`,
  );
  const { sql, params } = partOfList(
    part,
    `${COLUMNS}, toString(o.status) AS state, ${CHANNEL} AS touch, ${countedIn(filter)} AS counted,
      ${filter.status === 'deleted'} AS is_deleted, ${isSmall.join(' AND ')} AS is_small`,
  );
  const amounts = Object.entries(amountsOf(filter.rules, form)).map(([name, amount]) => `${amount} AS ${name}_amount`);
  return { from: `(SELECT *, ${amounts.join(', ')} FROM (${sql}) AS o) AS o ${ONE_OF_BOTH}`, params };
}

/** Lines of CSV of the orders, with the fields of `OrderSummary` in their order. */
export function linesQuery(part: ListPart): Query<RowOf<typeof LINES>> {
  const { from, params } = ordersOfFile(part, TEXTS);
  const cells = cellsOf(part.filter.rules, IN_LINES);
  const line = lineOf(FIELDS.map((field) => cells[field]));
  return LINES(
    `SELECT o.value AS value, o.day AS day, o.placedAt AS placedAt, o.orderId AS orderId, ${line} AS line
    FROM ${from}`,
    params,
  );
}

/** The same as a Parquet file, with the key of each order behind all others: see `toKey`. */
export function parquetQuery(part: ListPart): Statement {
  const { from, params } = ordersOfFile(part, DECIMALS);
  const cells = cellsOf(part.filter.rules, IN_PARQUET);
  const columns = FIELDS.map((field) => `${cells[field]} AS \`${field}\``);
  const key = ['o.value', 'o.day', 'o.placedAt', 'o.orderId'].map((column) => `toString(${column})`).join(", ' ', ");
  return {
    name: 'orders of a Parquet file',
    sql: `SELECT ${columns.join(', ')}, concat(${key}) AS ${LAST_COLUMN} FROM ${from}, ${PARQUET_SETTINGS} FORMAT Parquet`,
    params,
  };
}

/** Of the text that `parquetQuery` has of it. */
export function toKey(text: string): OrderKey {
  const [value = '', day, placedAt, ...id] = text.split(' ');
  return { value, day: Number(day), placedAt: Number(placedAt), orderId: id.join(' ') };
}
