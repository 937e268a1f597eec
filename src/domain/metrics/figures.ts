import { accrual, overlaps, volumeBounds, type Expense, type SalesVolume } from '../costs/expenses.js';
import type { RateTable } from '../costs/rates.js';
import { estimateFees, feeEstimate, type FeeEstimate, type GatewayVolume } from '../costs/gateway-fees.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { EXPENSE_SPEND, type ChannelSpend } from '../costs/spend-channel.js';
import type { RangeCoverage } from '../../schemas/metrics.js';
import { toRangeCoverage } from './coverage.js';
import {
  convertedAccruals,
  convertedSpend,
  isConvertible,
  worthOf,
  type ConvertedSpend,
  type CurrencyExpense,
} from './conversion.js';
import { leftOut, type LeftOut } from './left-out.js';
import type { Figures } from './figure-meanings.js';
import { isZero, plus, sum, times, ZERO, type Fraction } from '../money.js';
import type { DayRange } from './range.js';
import { countOf, type SumName, type Sums } from './sums.js';

/** What the warehouse sums up of one part of a range; the parts are cut where {@link FigureMaker.bounds} says. */
export interface SalesPart extends SalesVolume {
  sums: Sums;
  estimable: readonly GatewayVolume[];
  spend: readonly ChannelSpend[];
}

/** The costs of a shop that no push of orders carries, applied when metrics are read. */
export interface CostSettings {
  rules: readonly GatewayFeeRule[];
  /** All of the shop, those made in the app too. */
  expenses: readonly Expense[];
}

/** The same with the rates by which other currencies count on days of a range. */
export type RatedSettings = CostSettings & Pick<AppliedSettings, 'rates'>;

/** What of them matters to a figure. */
export interface AppliedSettings {
  rules: readonly GatewayFeeRule[];
  expenses: readonly CurrencyExpense[];
  /** By which other currencies count; {@link NO_RATES}: none does. */
  rates: RateTable;
}

export interface FigureMaker {
  /** Days before which a part has to end: the sums of the range are wanted apart on either side. */
  bounds: number[];
  /** The figures of days of the range from their parts. */
  figures: (days: DayRange, parts: readonly SalesPart[]) => Figures;
  /** How complete the costs of the parts are. */
  coverage: (parts: readonly SalesPart[], productsWithoutCost: number) => RangeCoverage;
  /** The ad spend of the same days by channel, adding up to it exactly; that of expenses under {@link EXPENSE_SPEND}. */
  spendByChannel: (days: DayRange, parts: readonly SalesPart[]) => Map<string, Fraction>;
  estimateFees: FeeEstimate;
  /** What of the ad spend of the range counts at a rate, of its parts. */
  converted: (parts: readonly SalesPart[]) => ConvertedSpend[];
  /** What of the range was left out, of its parts; null when nothing was. */
  leftOut: (parts: readonly SalesPart[], options: { expenses: boolean }) => LeftOut | null;
}

/** Brings what the warehouse sums up and the cost settings together, over one range (contract: "Figures"). */
export function figureMaker(settings: AppliedSettings, currency: string, range: DayRange): FigureMaker {
  const { rules, rates } = settings;
  const held = settings.expenses.filter((expense) => overlaps(expense, range));
  const foreign = held.filter((expense) => expense.currency !== currency);
  const convertible = foreign.filter(isConvertible);
  const accrued = (isAdvertising: boolean) => {
    const ofKind = ({ countsAsAdSpend }: CurrencyExpense): boolean => countsAsAdSpend === isAdvertising;
    const own = accrual(
      held.filter((expense) => expense.currency === currency && ofKind(expense)),
      range,
    );
    const others = convertedAccruals(convertible.filter(ofKind), range, rates);
    const total = (days: DayRange, sales: readonly SalesVolume[]): Fraction =>
      sum([own(days, sales), ...others.map(({ converted }) => converted(days, sales))]);
    return { total, others };
  };
  const [advertising, operating] = [accrued(true), accrued(false)];
  /** The pushed spend of parts as it counts; what has no rate does not. */
  const spent = (parts: readonly SalesPart[]): { channel: string; amount: Fraction }[] =>
    parts.flatMap(({ day, spend }) =>
      spend.flatMap(({ channel, currency: code, amount }) => {
        if (code === currency) return [{ channel, amount }];
        const worth = worthOf(rates, code, day);
        return worth === null ? [] : [{ channel, amount: times(amount, worth) }];
      }),
    );

  return {
    bounds: ascending([...volumeBounds(held, range), ...rates.changes(range)]),
    figures(days, parts) {
      const total = (name: SumName): Fraction => sum(parts.map((part) => part.sums[name]));
      return {
        orders: countOf(total('orders')),
        revenue: total('revenue'),
        refunds: total('refunds'),
        cogs: total('cogs'),
        gatewayFees: plus(
          total('gateway_fees'),
          estimateFees(
            rules,
            parts.flatMap((part) => part.estimable),
          ),
        ),
        adSpend: plus(sum(spent(parts).map(({ amount }) => amount)), advertising.total(days, parts)),
        operatingExpenses: operating.total(days, parts),
        total,
      };
    },
    coverage: (parts, productsWithoutCost) => toRangeCoverage({ parts, rules, productsWithoutCost }),
    spendByChannel(days, parts) {
      const spend = new Map<string, Fraction>();
      const add = (channel: string, amount: Fraction): void => {
        if (!isZero(amount)) spend.set(channel, plus(spend.get(channel) ?? ZERO, amount));
      };
      for (const { channel, amount } of spent(parts)) add(channel, amount);
      add(EXPENSE_SPEND, advertising.total(days, parts));
      return spend;
    },
    estimateFees: feeEstimate(rules),
    converted: (parts) => convertedSpend({ currency, range, rates }, advertising.others, parts),
    leftOut: (parts, options) => leftOut({ currency, range, expenses: foreign, rates }, parts, options),
  };
}

const ascending = (days: readonly number[]): number[] => [...new Set(days)].sort((a, b) => a - b);
