import type { FigureMaker, SalesPart } from '../domain/metrics/figures.js';
import { toCustomerMetrics, type CustomerSums } from '../domain/metrics/customers.js';
import { toExpenseMetrics, toMetrics, toStatement } from '../domain/metrics/metrics.js';
import type { DayRange } from '../domain/metrics/range.js';
import type { ShopCurrency } from '../domain/source.js';
import { requestError } from '../errors.js';
import type { Includable, RangeMetrics, ShownFigures } from '../schemas/metrics.js';
import type { CustomerReader } from '../warehouse/queries/customers.js';
import { noteOf } from './currency-note.js';
import { boundsOf, readPeriod, type PeriodDeps, type PeriodQuery } from './period.js';

export interface ShownDeps extends Pick<PeriodDeps, 'costSettings' | 'pastSettings' | 'metrics'> {
  customers: CustomerReader;
}

export type FiguresQuery = PeriodQuery & { included: ReadonlySet<Includable> };

/** The query with all days that its answer follows from: who is new, from all earlier ones. Throws `invalid_value`. */
export function daysRead(query: FiguresQuery): PeriodQuery {
  const { range, included, asOf } = query;
  if (!included.has('customers')) return query;
  if (asOf === undefined) return { ...query, range: { from: 0, to: range.to } };
  const message = 'customers are known as they stand now alone: leave as_of out, or take customers out of include.';
  throw requestError('invalid_value', message, 'as_of');
}

/**
 * The figures of a range as `GET /v1/metrics` shows them.
 *
 * @param now the source as it is now
 */
export async function readRange(
  deps: ShownDeps,
  shopId: string,
  query: FiguresQuery,
  now: ShopCurrency,
): Promise<RangeMetrics> {
  const { range, included } = query;
  const [{ currency, maker, parts }, added] = await Promise.all([
    readPeriod(deps, shopId, query, now),
    readAdded(deps, shopId, query, [range.from]),
  ]);
  return {
    ...boundsOf(range),
    currency,
    ...shownFigures(maker, range, parts, included, added),
    ...noteOf(maker, parts, { expenses: showsExpenses(included) }),
  };
}

/** What is no sum of days, by the first day of a period. */
interface Added {
  /** How many products were sold without a known cost. */
  uncosted: ReadonlyMap<number, number>;
  customers: ReadonlyMap<number, CustomerSums>;
}

/** Of periods that begin on these days, as far as it is asked for. */
export async function readAdded(
  { metrics, customers, costSettings }: Pick<ShownDeps, 'metrics' | 'customers' | 'costSettings'>,
  shopId: string,
  { range, included, asOf }: FiguresQuery,
  firstDays: readonly number[],
): Promise<Added> {
  const readCustomers = async () => {
    const { rules } = await costSettings.find(shopId);
    return customers.sums({ shopId, range, rules }, firstDays);
  };
  const [uncosted, sums] = await Promise.all([
    included.has('coverage') ? metrics.productsWithoutCost(shopId, range, firstDays, asOf) : new Map<number, number>(),
    included.has('customers') ? readCustomers() : new Map<number, CustomerSums>(),
  ]);
  return { uncosted, customers: sums };
}

export function shownFigures(
  maker: FigureMaker,
  days: DayRange,
  parts: readonly SalesPart[],
  included: ReadonlySet<Includable>,
  { uncosted, customers }: Added,
): ShownFigures {
  const figures = maker.figures(days, parts);
  return {
    ...toMetrics(figures),
    ...(included.has('expenses') && toExpenseMetrics(figures)),
    ...(included.has('coverage') && { coverage: maker.coverage(parts, uncosted.get(days.from) ?? 0) }),
    ...(included.has('statement') && { statement: toStatement(figures) }),
    ...(included.has('customers') && { customers: toCustomerMetrics(customers.get(days.from), figures.adSpend) }),
  };
}

/** Whether expenses that are no ad spend are in the answer. */
export function showsExpenses(included: ReadonlySet<Includable>): boolean {
  return included.has('expenses') || included.has('statement');
}
