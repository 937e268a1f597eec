import { EXPENSE_FREQUENCIES } from '../domain/costs/expenses.js';
import { kindOf, signsOf, type ContributionFilter } from '../domain/metrics/contributions.js';
import type { ExplainableFigure, Signs } from '../domain/metrics/figure-list.js';
import { figureValue } from '../domain/metrics/metrics.js';
import { EXPENSE_SPEND } from '../domain/costs/spend-channel.js';
import { figureMaker, type RatedSettings, type SalesPart } from '../domain/metrics/figures.js';
import { countOf } from '../domain/metrics/sums.js';
import type { DayRange } from '../domain/metrics/range.js';
import {
  canonicalDecimal,
  formatDecimal,
  fraction,
  isZero,
  minus,
  plus,
  times,
  whole,
  ZERO,
  type Fraction,
} from '../domain/money.js';
import { formatDay, formatTimestamp } from '../domain/time.js';
import type { Contribution, ContributionSource, ExplainResponse } from '../schemas/contributions.js';
import { boundsOf } from './period.js';
import type { FileFormat } from '../warehouse/file-rows.js';
import { BEFORE_ALL_DAYS } from '../warehouse/queries/unit-costs.js';
import { orderKey, type ContributionReader, type OrderFacts } from '../warehouse/queries/contribution-reader.js';
import {
  partOf,
  positionOf,
  type ContributionOrder,
  type ContributionPosition,
  type ContributionRow,
} from '../warehouse/queries/contributions.js';
import { canonicalRate } from '../warehouse/queries/rates.js';
import type { MetricsReader } from '../warehouse/queries/metrics.js';

interface FigureRequest {
  shopId: string;
  figure: ExplainableFigure;
  range: DayRange;
  filter: ContributionFilter;
  order: ContributionOrder;
  currency: string;
  settings: RatedSettings;
  /** Whether other currencies count. */
  converts: boolean;
}

export interface ExplainRequest extends FigureRequest {
  after: ContributionPosition | undefined;
  limit: number;
  /** Of the first page; undefined: this is it. */
  count: number | undefined;
}

/** A page of what a figure is made of; `last` is where it ended, undefined where nothing follows. */
export interface Explanation {
  answer: Omit<ExplainResponse, 'next'>;
  last: ContributionPosition | undefined;
}

export async function explain(
  { contributions, metrics }: { contributions: ContributionReader; metrics: MetricsReader },
  request: ExplainRequest,
): Promise<Explanation> {
  const { shopId, figure, range, filter, order, after, limit, count, currency, settings } = request;
  const query = queryOf(request);
  const isWhole = Object.values(filter).every((value) => value === undefined);
  const parts = await metrics.daily(shopId, range);
  const ordersOn = new Map(parts.map(({ day, sums }) => [day, countOf(sums.orders)]));
  const isCosted = parts.every(({ sums }) => isZero(minus(sums.orders, sums.orders_costed)));
  const found = await contributions.page({ ...query, order, after, ordersOn, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const isEnd = found.length <= limit;
  // The rollups may lag behind the entries for a moment; the last page takes both total and rounding from the entries.
  const isSummed = !isWhole || isEnd;
  const [orders, counts, sums] = await Promise.all([
    contributions.orders(
      shopId,
      rows.filter((row) => ofOrder(row)),
    ),
    isSummed || count !== undefined ? null : contributions.counts({ ...query, isCosted }),
    isSummed ? contributions.sums(query) : null,
  ]);

  const figures = figureMaker(settings, currency, range).figures(range, parts);
  const expenses = accrued(request, query.signs, parts);
  const exact = sums === null ? figureValue(figure, figures) : plus(sums.exact, expenses);
  const total = formatDecimal(exact);
  const shown = sums?.rounded ?? plus(minus(exact, expenses), counts?.beyond ?? ZERO);
  const rounding = minus(fraction(total), shown);
  const entries = rows.map((row) => toContribution(row, orders.get(orderKey(row))));

  const left = isEnd ? rounding : ZERO;
  const hasRoom = isZero(left) || entries.length < limit;
  if (!isZero(left) && hasRoom) {
    entries.push({ kind: 'rounding', amount: formatDecimal(left), date: formatDay(range.to), source: {} });
  }
  const last = rows.at(-1);
  const position = last === undefined ? after : positionOf(last);
  return {
    answer: {
      figure,
      ...boundsOf(range),
      currency,
      total,
      count: count ?? ((sums ?? counts)?.count ?? 0) + (isZero(rounding) ? 0 : 1),
      entries,
    },
    last: isEnd && hasRoom ? undefined : position,
  };
}

/** All entries as a file. Throws `not_acceptable` where an amount has more digits than the file holds. */
export async function* explainedFile(
  { contributions, metrics }: { contributions: ContributionReader; metrics: MetricsReader },
  format: FileFormat,
  request: FigureRequest,
): AsyncGenerator<Buffer> {
  const query = queryOf(request);
  const [parts, { exact, rounded }] = await Promise.all([
    metrics.daily(request.shopId, request.range),
    contributions.sums(query),
  ]);
  const total = formatDecimal(plus(exact, accrued(request, query.signs, parts)));
  const rounding = formatDecimal(minus(fraction(total), rounded));
  yield* contributions.file(format, { ...query, order: request.order, rounding });
}

function queryOf({ shopId, figure, range, filter, currency, settings, converts }: FigureRequest) {
  return {
    shopId,
    range,
    signs: signsOf(figure, filter),
    filter,
    currency,
    rules: settings.rules,
    converts,
    isWithoutExpenses: settings.expenses.length === 0,
  };
}

/** What expenses come to in the figure, exactly. */
function accrued({ range, currency, settings }: FigureRequest, signs: Signs, parts: readonly SalesPart[]): Fraction {
  const maker = figureMaker(settings, currency, range);
  return plus(
    times(whole(signs.ad_expense ?? 0), maker.spendByChannel(range, parts).get(EXPENSE_SPEND) ?? ZERO),
    times(whole(signs.other_expense ?? 0), maker.figures(range, parts).operatingExpenses),
  );
}

function ofOrder(row: ContributionRow): boolean {
  const kind = kindOf(partOf(row));
  return kind !== 'spend' && kind !== 'expense';
}

function toContribution(row: ContributionRow, order: OrderFacts | undefined): Contribution {
  const part = partOf(row);
  const entry = { kind: kindOf(part), amount: canonicalDecimal(row.amount), date: row.day };
  const ordered = {
    ...entry,
    order_id: row.id,
    ...(order !== undefined && { channel: order.channel }),
  };
  const costed = {
    ...ordered,
    ...(row.sku !== '' && { sku: row.sku }),
    quantity: canonicalDecimal(row.quantity),
    unit_cost: canonicalDecimal(row.cost),
    source: costSource(row),
  };
  const [first = '', second = '', third = '', fourth = ''] = row.facts;
  const frequency = EXPENSE_FREQUENCIES.find((name) => name === third);
  switch (part) {
    case 'refund': {
      const at = order?.refunds?.refundedAt.get(row.sub);
      return {
        ...ordered,
        refund_id: row.sub,
        ...(at !== undefined && { refunded_at: formatTimestamp(at) }),
        ...(order?.refunds !== undefined && { order_total: canonicalDecimal(order.refunds.orderTotal) }),
        source: {},
      };
    }
    case 'gross_sale':
    case 'line_discount':
      return {
        ...ordered,
        line_id: row.line_id,
        ...(row.sku !== '' && { sku: row.sku }),
        quantity: canonicalDecimal(row.quantity),
        source: {},
      };
    case 'fee_refund':
    case 'tax_refund':
      return { ...ordered, refund_id: row.sub, source: {} };
    case 'fee_estimate':
      return { ...ordered, source: { payment_gateway: first, percent: second, fixed: third } };
    case 'line_cost': {
      const lineId = order?.lines?.version === row.version ? order.lines.ids[row.item - 1] : undefined;
      return { ...costed, ...(lineId !== undefined && { line_id: lineId }) };
    }
    case 'restock':
      return { ...costed, line_id: row.line_id, refund_id: row.sub };
    case 'spend':
      return {
        ...entry,
        channel: row.id,
        ...rateOf(row.facts.slice(3)),
        source: {
          ...(first !== '' && { campaign_id: first }),
          ...(second !== '' && { adset_id: second }),
          ...(third !== '' && { ad_id: third }),
        },
      };
    case 'ad_expense':
    case 'other_expense':
      return {
        ...entry,
        ...(first !== '' && { expense_external_id: first }),
        ...rateOf(row.facts.slice(4)),
        source: { name: second, ...(frequency !== undefined && { frequency }), amount: canonicalDecimal(fourth) },
      };
    // An amount of an order as a whole.
    default:
      return { ...ordered, source: {} };
  }
}

/** By which rate an amount in another currency was converted. */
function rateOf([currency = '', day = '', rate = '']: readonly string[]): Pick<Contribution, 'rate'> {
  return currency === '' ? {} : { rate: { currency, day, rate: canonicalRate(rate) } };
}

function costSource({ cost_from, cost_since }: ContributionRow): ContributionSource {
  if (cost_from === 'line') return { from: 'line' };
  return { from: 'catalog', effective_from: cost_since === BEFORE_ALL_DAYS ? null : cost_since };
}
