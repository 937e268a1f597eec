import {
  partNumber,
  PARTS_OF_EXPENSES,
  PARTS_OF_LINES,
  PARTS_OF_ORDERS,
  PARTS_OF_SALES,
  type ContributionFilter,
} from '../../domain/metrics/contributions.js';
import { PARTS, type Part, type Signs } from '../../domain/metrics/figure-list.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { DEFAULTS, plain, select } from './contribution-columns.js';
import { expenses, spend } from './contribution-costs.js';
import { fees } from './contribution-fees.js';
import {
  countOfEstimates,
  counts,
  countOfSales,
  countOfTerms,
  linesWithoutCost,
  TERMS_OF_LINES,
  termsOfOrders,
  type Terms,
} from './contribution-counts.js';
import { days, LINE, lines, ofOrders, skus } from './contribution-orders.js';
import { sales } from './contribution-sales.js';
import { costedLines } from './unit-costs.js';

const OTHERS_OF_ORDERS = ['fee_estimate', ...PARTS_OF_LINES, ...PARTS_OF_SALES];

/** What of the settings of a shop decides which entries there are. */
export interface EntrySettings {
  rules: readonly GatewayFeeRule[];
  /** Whether other currencies count at the rates of the shop. Absent: they do not. */
  converts?: boolean | undefined;
  /** The shop has no expense, so none is looked for: that took 20 ms of CPU, however few there are. Absent: it may have some. */
  isWithoutExpenses?: boolean | undefined;
  /** Of lines those of parts of a unit alone. Absent: all. */
  isFractional?: boolean | undefined;
}

interface Source {
  parts: readonly Part[];
  entries: () => string;
  /** What counts them without what an entry shows; absent, as `counted` too: they are few. */
  terms?: Terms;
  /** What counts them, besides the terms or alone. */
  counted?: (isCosted: boolean) => string[];
}

/** Parts that one look at their table gives: each further look costs the warehouse 6 to 20 ms of CPU, however few its rows. */
function sourcesOf(
  signs: Signs,
  filter: ContributionFilter,
  { rules, converts = false, isWithoutExpenses = false, isFractional }: EntrySettings,
  least?: string,
): Source[] {
  const { fee_actual, ...withoutFee } = signs;
  const isEstimated = rules.length > 0 && fee_actual !== undefined;
  const ofOrder: Signs = isEstimated ? withoutFee : signs;
  const sources: Source[] = [
    {
      parts: PARTS_OF_ORDERS.filter((part) => ofOrder[part] !== undefined && !OTHERS_OF_ORDERS.includes(part)),
      entries: () => ofOrders(ofOrder, least),
      terms: termsOfOrders(ofOrder),
    },
    {
      parts: isEstimated ? ['fee_actual', 'fee_estimate'] : [],
      entries: () => fees(rules),
      terms: termsOfOrders(isEstimated ? { fee_actual } : {}),
      counted: () => [countOfEstimates(signs, rules)],
    },
    { parts: PARTS_OF_SALES, entries: () => sales(signs, filter, isFractional), counted: () => [countOfSales(signs)] },
    {
      parts: PARTS_OF_LINES,
      entries: () => select(LINE, 'costed AS d WHERE d.cost IS NOT NULL'),
      terms: TERMS_OF_LINES,
      counted: linesWithoutCost,
    },
    { parts: ['spend'], entries: () => spend(filter, converts) },
    { parts: PARTS_OF_EXPENSES, entries: () => expenses(signs, converts) },
  ];
  const asked = sources.flatMap(({ parts, ...source }) => {
    const own = parts.filter((part) => signs[part] !== undefined);
    return own.length === 0 ? [] : [{ ...source, parts: own }];
  });
  const others = asked.filter(({ parts }) => !parts.some((part) => PARTS_OF_EXPENSES.includes(part)));
  return isWithoutExpenses && others.length > 0 ? others : asked;
}

const has = (signs: Signs, parts: readonly Part[]): boolean => parts.some((part) => signs[part] !== undefined);
const clause = (ctes: readonly string[]): string => (ctes.length === 0 ? '' : `WITH ${ctes.join(',\n  ')}`);
const union = (selects: readonly string[]): string => selects.join('\n    UNION ALL\n    ');

/** The sign of an entry in SQL. */
function signIn(signs: Signs, parts: readonly Part[]): string {
  const taken = parts.filter((part) => signs[part] === -1);
  if (taken.length === 0) return '1';
  return taken.length === parts.length ? '-1' : `if(e_part IN (${taken.map(partNumber).join(', ')}), -1, 1)`;
}

const COLUMNS = Object.keys(DEFAULTS).filter((column) => column !== 'size' && column !== 'part');
const entry = (sign: string, from: string): string =>
  `SELECT toUInt8(e_part) AS part, ${sign} * e_amount AS amount, ${sign} * ${plain('e_size')} AS exact,
      ${COLUMNS.map((column) => `e_${column} AS ${column}`).join(', ')}
    FROM (${from})`;

/** What single roundings leave over, {rounding:String}, as an entry unless it is zero, behind all parts. It has a sign of its own. */
export const ROUNDING = PARTS.length;
const LEFT_OVER = "CAST({rounding:String}, 'Decimal(76, 6)')";
export const ROUNDING_ENTRY = entry(
  '1',
  select(
    { part: String(ROUNDING), day: '{last:Date}', id: "''", size: LEFT_OVER, amount: LEFT_OVER },
    `(SELECT 1) WHERE ${LEFT_OVER} != 0`,
  ),
);

/**
 * All entries of the days {first:Date} to {last:Date}: a WITH clause and a UNION of what each source of the figure
 * contributes, with `part` (a number in {@link PARTS}), the signed exact value and the signed amount, rounded half-up at
 * the sixth decimal (a cast cuts the rest off). An entry whose cost is not known contributes nothing and is not there. With
 * `least` there may be fewer entries below that amount.
 */
export function entries(signs: Signs, filter: ContributionFilter, settings: EntrySettings, least?: string) {
  const selects = sourcesOf(signs, filter, settings, least).map((source) =>
    entry(signIn(signs, source.parts), source.entries()),
  );
  const ctes = [
    ...(has(signs, PARTS_OF_ORDERS) ? [days(signs, filter)] : []),
    ...(has(signs, PARTS_OF_LINES)
      ? [lines(signs, filter, { ...settings, least }), costedLines(skus(signs, filter))]
      : []),
  ];
  return { with: clause(ctes), union: union(selects) };
}

/**
 * How many entries each source of a whole figure has: `entries`; `fractional`, how many lines are of parts of a unit, also of those
 * without a cost; and `beyond`, what the amounts that all others show come to beyond their exact size, that of expenses taken as 0.
 * Of 2.5 million lines and 10^6 orders it takes a quarter of the CPU time that it takes to sum up all.
 */
export function entryCounts(signs: Signs, settings: EntrySettings, isCosted: boolean) {
  const sources = sourcesOf(signs, {}, settings);
  const terms = sources.flatMap((source) => source.terms ?? []);
  const apart = sources.flatMap((source) => {
    if (source.terms !== undefined || source.counted !== undefined) return source.counted?.(isCosted) ?? [];
    const exact = source.parts.some((part) => PARTS_OF_EXPENSES.includes(part)) ? '0' : plain('e_size');
    const beyond = `sum(${signIn(signs, source.parts)} * (${plain('e_amount')} - ${exact}))`;
    return counts('count()', '0', beyond, `(${source.entries()})`);
  });
  const selects = terms.length === 0 ? apart : [countOfTerms(signs, terms), ...apart];
  return union(selects);
}
