import { BreakdownRow } from '../../schemas/breakdown.js';
import { FILE_FORMS, fileStatement, type FileForm, type FileFormat } from '../file-rows.js';
import type { QueryParams, Statement } from '../query.js';

type Field = keyof typeof BreakdownRow.properties;
const FIELDS = Object.keys(BreakdownRow.properties) as Field[];

/** Whole millionths of an amount of at most as many decimals. */
const millionths = (amount: string): string => `toInt256(toDecimal256(${amount}, 6) * 1000000)`;
const NET = millionths('t.net');
const ALL = millionths('t.all_net');
/** The ratio of both in millionths, rounded half away from zero; of nothing there is none. */
const SHARE = `if(t.all_net = 0, NULL,
    toDecimal256(sign(${NET}) * sign(${ALL}) * intDiv(2000000 * abs(${NET}) + abs(${ALL}), if(t.all_net = 0, 1, 2 * abs(${ALL}))), 6) / 1000000)`;
/** As `percentage` has it, of a row that has at least one order. */
const HUNDREDTHS = 'intDiv(20000 * t.costed + t.orders, 2 * t.orders)';
const COGS_COMPLETE = `toDecimal64(if(t.costed < t.orders AND ${HUNDREDTHS} = 10000, 9999, ${HUNDREDTHS}), 6) / 100`;

const AMOUNTS = {
  revenue: 't.revenue',
  refunds: 't.refunds',
  net_revenue: 't.net',
  cogs: 'round(t.cogs, 6)',
  gateway_fees: 'round(t.fees, 6)',
  profit: 'round(t.profit, 6)',
  share: SHARE,
} as const;

/** The cells of a row `t`, as `toBreakdownRow` has it. */
function cellsOf({ text, money, number, integer }: FileForm): Record<Field, string> {
  const amount = (name: keyof typeof AMOUNTS): string => money(`t.${name}_amount`);
  return {
    key: text('t.key'),
    name: text("if(t.name = t.key, '', t.name)"),
    orders: integer('t.orders'),
    revenue: amount('revenue'),
    refunds: amount('refunds'),
    net_revenue: amount('net_revenue'),
    cogs: amount('cogs'),
    cogs_complete: number(COGS_COMPLETE),
    gateway_fees: amount('gateway_fees'),
    orders_without_fee: integer('t.orders - t.charged'),
    profit: amount('profit'),
    share: amount('share'),
  };
}

/**
 * A file of the rows of a breakdown, in the order of a sub-query that also says what all of them bring. All are read once and written by the
 * warehouse.
 */
export function breakdownRowsFile(
  format: FileFormat,
  { rows, params }: { rows: string; params: QueryParams },
): Statement {
  const form = FILE_FORMS[format];
  const amounts = Object.entries(AMOUNTS).map(([name, amount]) => `${form.wideAmount(amount)} AS ${name}_amount`);
  const known = cellsOf(form);
  return fileStatement(format, 'a breakdown', {
    cells: Object.fromEntries(FIELDS.map((field) => [field, known[field]])),
    from: `(SELECT t.*, ${amounts.join(', ')} FROM (${rows}) AS t) AS t`,
    params,
  });
}
