import { UNATTRIBUTED_CHANNEL } from '../../domain/attribution/attribution.js';
import {
  kindOf,
  partNumber,
  PARTS_OF_EXPENSES,
  PARTS_OF_LINES,
  PARTS_OF_ORDERS,
  PARTS_OF_SALES,
} from '../../domain/metrics/contributions.js';
import { PARTS, type Part, type Signs } from '../../domain/metrics/figure-list.js';
import type { Contribution, ContributionSource } from '../../schemas/contributions.js';
import { FILE_FORMS, fileStatement, type FileForm, type FileFormat } from '../file-rows.js';
import type { Statement } from '../query.js';
import { literal } from '../sql.js';
import { inRange } from './contribution-orders.js';
import { entries, ROUNDING, ROUNDING_ENTRY } from './contribution-parts.js';
import { entryParams, KEY, type ContributionOrder, type ContributionQuery } from './contributions.js';
import { BEFORE_ALL_DAYS } from './unit-costs.js';

/** All entries of a figure. */
export interface ContributionList extends ContributionQuery {
  order: ContributionOrder;
  /** What single roundings leave over: a decimal, with an entry of its own at the end unless it is zero. */
  rounding: string;
}

type Column =
  | Exclude<keyof Contribution, 'rate' | 'source'>
  | `rate_${keyof NonNullable<Contribution['rate']>}`
  | `source_${keyof ContributionSource}`;

const KINDS = `[${[...PARTS.map(kindOf), 'rounding'].map(literal).join(', ')}]`;
const LINES: readonly Part[] = [...PARTS_OF_LINES, ...PARTS_OF_SALES];

const NO_AMOUNT = "CAST(NULL, 'Nullable(Decimal(38, 6))')";
const NO_TIME = "CAST(NULL, 'Nullable(DateTime64(6, \\'UTC\\'))')";
const NO_DAY = "CAST(NULL, 'Nullable(Date32)')";

/** A value that entries of some parts alone have. */
type OfParts = (parts: readonly Part[], value: string, none?: string) => string;

const ofParts =
  (signs: Signs): OfParts =>
  (parts, value, none = "''") => {
    const own = parts.filter((part) => signs[part] !== undefined).map(partNumber);
    return own.length === 0 ? none : `if(e.part IN (${own.join(', ')}), ${value}, ${none})`;
  };

/** What an entry `e` has in columns of its own, of its order `o`, or in its facts. */
function amountsOf(of: OfParts, { amount, wideAmount }: FileForm) {
  const some = (parts: readonly Part[], value: string): string => amount(of(parts, value, NO_AMOUNT));
  return {
    entry: wideAmount('e.amount'),
    order_total: some(['refund'], 'if(o.version = 0, NULL, o.total)'),
    quantity: some(LINES, 'e.quantity'),
    unit_cost: some(PARTS_OF_LINES, 'e.cost'),
    percent: some(['fee_estimate'], 'toDecimal128OrNull(e.facts[2], 6)'),
    fixed: some(['fee_estimate'], 'toDecimal128OrNull(e.facts[3], 6)'),
    expense: some(PARTS_OF_EXPENSES, 'toDecimal128OrNull(e.facts[4], 6)'),
  };
}

/** What an entry `e` has from the newest version `o` of its order, and from its credit `a`. */
const ofOrders = (of: OfParts) => ({
  line: of(['line_cost'], "if(o.version = e.version, o.line_ids[e.item], '')", 'e.line_id'),
  refunded_at: of(
    ['refund'],
    'if(has(o.refund_ids, e.sub), o.refunded_ats[indexOf(o.refund_ids, e.sub)], NULL)',
    NO_TIME,
  ),
  channel: of(PARTS_OF_ORDERS, `if(a.channel = '', '${UNATTRIBUTED_CHANNEL}', a.channel)`, of(['spend'], 'e.id')),
});

/** The cells of an entry `e`, as `toContribution` has it and in the order of `Contribution`. */
function cellsOf(of: OfParts, { text, word, day, time, money }: FileForm): Record<Column, string> {
  const amount = (name: keyof ReturnType<typeof amountsOf>): string => money(`e.${name}_amount`);
  const rate = (number: number): string =>
    of(['spend'], `e.facts[${number}]`, of(PARTS_OF_EXPENSES, `e.facts[${number + 1}]`));
  const since = `if(e.cost_from = 'catalog' AND e.cost_since != '${BEFORE_ALL_DAYS}', e.cost_since, NULL)`;
  return {
    kind: word(`${KINDS}[e.part + 1]`),
    amount: amount('entry'),
    date: day('e.day'),
    order_id: text(of(PARTS_OF_ORDERS, 'e.id')),
    line_id: text('e.line'),
    refund_id: text(of(['refund', 'restock', 'fee_refund', 'tax_refund'], 'e.sub')),
    refunded_at: time('e.refunded_at'),
    order_total: amount('order_total'),
    sku: text('e.sku'),
    channel: text('e.channel'),
    expense_external_id: text(of(PARTS_OF_EXPENSES, 'e.facts[1]')),
    quantity: amount('quantity'),
    unit_cost: amount('unit_cost'),
    rate_currency: word(rate(4)),
    rate_day: day(`toDateOrNull(${rate(5)})`),
    rate_rate: word(rate(6)),
    source_from: word(of(PARTS_OF_LINES, 'e.cost_from')),
    source_effective_from: day(of(PARTS_OF_LINES, since, NO_DAY)),
    source_payment_gateway: text(of(['fee_estimate'], 'e.facts[1]')),
    source_percent: amount('percent'),
    source_fixed: amount('fixed'),
    source_campaign_id: text(of(['spend'], 'e.facts[1]')),
    source_adset_id: text(of(['spend'], 'e.facts[2]')),
    source_ad_id: text(of(['spend'], 'e.facts[3]')),
    source_name: text(of(PARTS_OF_EXPENSES, 'e.facts[2]')),
    source_frequency: word(of(PARTS_OF_EXPENSES, 'e.facts[3]')),
    source_amount: amount('expense'),
  };
}

/** Which orders of a table entries may be of: those placed on the days, and those of refunds on them. */
const places = (
  o: string,
): string => `${o}.shop_id = {shop:String} AND (${o}.placed_day BETWEEN {first:Date} AND {last:Date}
        OR (${o}.placed_day, ${o}.order_id) IN (
          SELECT y.placed_day, y.order_id FROM order_days AS y
          WHERE ${inRange('y')} AND y.placed_day NOT BETWEEN {first:Date} AND {last:Date}
        ))`;
const STATES = `
    LEFT JOIN (
      SELECT o.placed_day AS placed_day, o.order_id AS order_id, o.version AS version, o.line_items.line_id AS line_ids,
        o.total AS total, o.refunds.refund_id AS refund_ids, o.refunds.refunded_at AS refunded_ats
      FROM orders AS o FINAL WHERE ${places('o')}
    ) AS o ON o.placed_day = e.placed_day AND o.order_id = e.id`;
const CHANNELS = `
    LEFT JOIN (
      SELECT a.placed_day AS placed_day, a.order_id AS order_id, toString(a.last_touch) AS channel
      FROM order_attribution AS a FINAL WHERE ${places('a')}
    ) AS a ON a.placed_day = e.placed_day AND a.order_id = e.id`;

/** What comes of the lists of an order is sorted, not the lists: half a million entries take a quarter less memory so. */
const CELLS_FIRST = 'query_plan_execute_functions_after_sorting = 0';

const COLUMNS = 'part day id sub sku cost_from cost_since facts'.split(' ').map((name) => `e.${name} AS ${name}`);

/**
 * As pages have them: what a figure adds comes before what it takes off, which by amount is to be said where both are 0.
 */
function keyOf(order: ContributionOrder, signs: Signs): string {
  const takenOff = PARTS.filter((part) => signs[part] === -1).map(partNumber);
  if (order === 'time' || takenOff.length === 0) return KEY[order];
  return `-e.amount, materialize(e.part IN (${takenOff.join(', ')})), ${KEY.time}`;
}

/** All entries of a figure as a file, with the fields of `Contribution`: read once, whatever they are sorted by. */
export function contributionFile(format: FileFormat, list: ContributionList): Statement {
  const { signs, filter, order, rounding } = list;
  const form = FILE_FORMS[format];
  const of = ofParts(signs);
  const { with: clause, union } = entries(signs, filter, list);
  const hasState = signs.line_cost !== undefined || signs.refund !== undefined;
  const hasOrders = PARTS_OF_ORDERS.some((part) => signs[part] !== undefined);
  const amounts = Object.entries(amountsOf(of, form)).map(([name, amount]) => `${amount} AS ${name}_amount`);
  const found = Object.entries(ofOrders(of)).map(([name, value]) => `${value} AS ${name}`);
  return fileStatement(format, 'entries of a figure', {
    cells: cellsOf(of, form),
    from: `(
  ${clause}
  SELECT ${[...COLUMNS, ...found, ...amounts].join(', ')}
  FROM (
    ${union}
    UNION ALL
    ${ROUNDING_ENTRY}
  ) AS e${hasState ? STATES : ''}${hasOrders ? CHANNELS : ''}
  ORDER BY materialize(e.part = ${ROUNDING}), ${keyOf(order, signs)}
  ) AS e`,
    settings: [CELLS_FIRST],
    params: { ...entryParams(list), rounding },
  });
}
