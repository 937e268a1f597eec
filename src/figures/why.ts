import { EARNINGS_PARTS, signsOf } from '../domain/metrics/contributions.js';
import type { ExplainableFigure } from '../domain/metrics/figure-list.js';
import { EXPENSE_SPEND } from '../domain/costs/spend-channel.js';
import { countedOfEach } from '../domain/metrics/conversion.js';
import { figureMaker, type FigureMaker, type RatedSettings, type SalesPart } from '../domain/metrics/figures.js';
import type { Figures } from '../domain/metrics/figure-meanings.js';
import { figureValue } from '../domain/metrics/metrics.js';
import type { DayRange } from '../domain/metrics/range.js';
import { countOf } from '../domain/metrics/sums.js';
import {
  absolute,
  compareFractions,
  formatDecimal,
  fraction,
  isNegative,
  isZero,
  minus,
  negative,
  sum,
  ZERO,
  type Fraction,
} from '../domain/money.js';
import { formatDay } from '../domain/time.js';
import { MAX_BECAUSE, type WhyCause, type WhyPart, type WhyResponse } from '../schemas/why.js';
import type { ContributionReader } from '../warehouse/queries/contribution-reader.js';
import type { MetricsReader } from '../warehouse/queries/metrics.js';
import { boundsOf } from './period.js';

export interface WhyRequest {
  shopId: string;
  range: DayRange;
  compared: DayRange;
  currency: string;
  /** The settings with the rates of these days. */
  settingsOver: (days: DayRange) => Promise<RatedSettings>;
}

/** Days with what is known of them. */
interface Side {
  range: DayRange;
  /** A part a day. */
  parts: SalesPart[];
  settings: RatedSettings;
  maker: FigureMaker;
  figures: Figures;
  /** What an amount of a figure that adds to earnings counts: 1 in the range itself, -1 in the days before. */
  sign: 1 | -1;
}

/** A cause whose change is not rounded yet. */
type Weighed = Omit<WhyCause, 'change'> & { change: Fraction };

/** Why earnings are more or less than in the days before: by figure, and what weighed most in each. */
export async function why(
  { contributions, metrics }: { contributions: ContributionReader; metrics: MetricsReader },
  { shopId, range, compared, currency, settingsOver }: WhyRequest,
): Promise<WhyResponse> {
  const sideOf = async (range: DayRange, sign: 1 | -1): Promise<Side> => {
    const [settings, parts] = await Promise.all([settingsOver(range), metrics.daily(shopId, range)]);
    const maker = figureMaker(settings, currency, range);
    return { range, sign, parts, settings, maker, figures: maker.figures(range, parts) };
  };
  const sides: readonly [Side, Side] = await Promise.all([sideOf(range, 1), sideOf(compared, -1)]);
  /** By what a figure of both sides differs, each side rounded as metrics show it. */
  const differenceOf = (figure: ExplainableFigure): Fraction =>
    sum(sides.map(({ figures, sign }) => signed(fraction(formatDecimal(figureValue(figure, figures))), sign)));

  const largestEntries = async (figure: 'revenue' | 'refunds', difference: Fraction): Promise<Weighed[]> => {
    // Those of the days that have more of it.
    const side = isNegative(difference) ? sides[1] : sides[0];
    const ordersOn = new Map(side.parts.map(({ day, sums }) => [day, countOf(sums.orders)]));
    const query = {
      shopId,
      range: side.range,
      signs: signsOf(figure),
      filter: {},
      currency,
      rules: side.settings.rules,
    };
    const rows = await contributions.page({ ...query, order: 'amount', ordersOn, limit: MAX_BECAUSE });
    return rows.map((row) => ({
      ...(figure === 'revenue' ? { kind: 'order', id: row.id } : { kind: 'refund', id: row.sub, name: row.id }),
      date: row.day,
      change: signed(fraction(row.amount), side.sign),
    }));
  };
  /** Days do not tell channels apart. */
  const channels = async (): Promise<Weighed[]> => {
    const spent = await Promise.all(
      sides.map(async ({ range, maker }) =>
        maker.spendByChannel(range, await metrics.parts(shopId, range, maker.bounds)),
      ),
    );
    const ids = new Set(spent.flatMap((of) => [...of.keys()]));
    ids.delete(EXPENSE_SPEND);
    return [...ids].map((id) => {
      return { kind: 'channel', id, change: minus(spent[0]?.get(id) ?? ZERO, spent[1]?.get(id) ?? ZERO) };
    });
  };
  const expenses = (isAdvertising: boolean): Weighed[] => {
    const amounts = sides.map(({ range, parts, settings: { rates }, sign }) => ({
      sign,
      of: countedOfEach(range, parts, { currency, rates }),
    }));
    return sides[0].settings.expenses
      .filter((expense) => expense.countsAsAdSpend === isAdvertising)
      .map((expense) => {
        const change = sum(amounts.map(({ sign, of }) => signed(of(expense), sign)));
        const { externalId, name } = expense;
        return { kind: 'expense', ...(externalId !== null && { id: externalId }), name, change };
      });
  };
  let figuresOfDays: { date: string; sign: 1 | -1; figures: Figures }[] | undefined;
  const days = (figure: ExplainableFigure): Weighed[] => {
    figuresOfDays ??= sides.flatMap(({ parts, maker, sign }) =>
      parts.map((part) => {
        const figures = maker.figures({ from: part.day, to: part.day }, [part]);
        return { date: formatDay(part.day), sign, figures };
      }),
    );
    return figuresOfDays.map(({ date, sign, figures }) => {
      return { kind: 'day', date, change: signed(figureValue(figure, figures), sign) };
    });
  };
  const causesOf = async (figure: ExplainableFigure, difference: Fraction): Promise<Weighed[]> => {
    if (figure === 'revenue' || figure === 'refunds') return largestEntries(figure, difference);
    if (figure === 'ad_spend') return [...(await channels()), ...expenses(true)];
    return figure === 'operating_expenses' ? expenses(false) : days(figure);
  };

  const changed = EARNINGS_PARTS.map((term) => ({ ...term, difference: differenceOf(term.figure) }));
  const parts = await Promise.all(
    changed
      .filter(({ difference }) => !isZero(difference))
      .map(async ({ figure, sign, difference }) => {
        const causes = await causesOf(figure, difference);
        const change = signed(difference, sign);
        const weighed = causes.map((cause) => ({ ...cause, change: signed(cause.change, sign) }));
        return {
          figure,
          change,
          because: largest(weighed.filter((cause) => isNegative(cause.change) === isNegative(change))),
        };
      }),
  );
  const change = differenceOf('earnings');
  const rest = minus(change, sum(parts.map((part) => part.change)));
  const all = isZero(rest) ? parts : [...parts, { figure: 'rounding' as const, change: rest, because: [] }];
  return {
    ...boundsOf(range),
    currency,
    compared: boundsOf(compared),
    figure: 'earnings',
    change: formatDecimal(change),
    parts: all.sort(byWeight).map((part): WhyPart => ({ ...part, change: formatDecimal(part.change) })),
  };
}

const signed = (amount: Fraction, sign: 1 | -1): Fraction => (sign === 1 ? amount : negative(amount));
const byWeight = (a: { change: Fraction }, b: { change: Fraction }): number =>
  compareFractions(absolute(b.change), absolute(a.change));

const largest = (causes: Weighed[]): WhyCause[] =>
  causes
    .filter(({ change }) => !isZero(change))
    .sort(byWeight)
    .slice(0, MAX_BECAUSE)
    .map((cause) => ({ ...cause, change: formatDecimal(cause.change) }));
