import {
  accrual,
  overlaps,
  volumeBounds,
  type AccruingExpense,
  type Expense,
  type SalesVolume,
} from '../costs/expenses.js';
import { estimateFees, feeEstimate, type FeeEstimate, type GatewayVolume } from '../costs/gateway-fees.js';
import type { GatewayFeeRule } from '../../schemas/gateway-fees.js';
import { EXPENSE_SPEND, type ChannelSpend } from '../costs/spend-channel.js';
import type { RangeCoverage } from '../../schemas/metrics.js';
import { toRangeCoverage } from './coverage.js';
import { leftOut, type LeftOut } from './left-out.js';
import type { Figures } from './figure-meanings.js';
import { isZero, plus, sum, ZERO, type Fraction } from '../money.js';
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

/** What of them matters to a figure. */
export interface AppliedSettings {
  rules: readonly GatewayFeeRule[];
  expenses: readonly (AccruingExpense & Pick<Expense, 'currency' | 'countsAsAdSpend'>)[];
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
  /** What of the range was left out, of its parts; null when nothing was. */
  leftOut: (parts: readonly SalesPart[], options: { expenses: boolean }) => LeftOut | null;
}

/** Brings what the warehouse sums up and the cost settings together, over one range (contract: "Figures"). */
export function figureMaker({ rules, expenses }: AppliedSettings, currency: string, range: DayRange): FigureMaker {
  const counted = expenses.filter((expense) => expense.currency === currency && overlaps(expense, range));
  const foreign = expenses.filter((expense) => expense.currency !== currency && overlaps(expense, range));
  const advertising = accrual(
    counted.filter((expense) => expense.countsAsAdSpend),
    range,
  );
  const operating = accrual(
    counted.filter((expense) => !expense.countsAsAdSpend),
    range,
  );

  return {
    bounds: volumeBounds([...counted, ...foreign.filter((expense) => expense.countsAsAdSpend)], range),
    figures(days, parts) {
      const spend = parts.flatMap((part) => part.spend.filter((entry) => entry.currency === currency));
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
        adSpend: plus(sum(spend.map((entry) => entry.amount)), advertising(days, parts)),
        operatingExpenses: operating(days, parts),
        total,
      };
    },
    coverage: (parts, productsWithoutCost) => toRangeCoverage({ parts, rules, productsWithoutCost }),
    spendByChannel(days, parts) {
      const spend = new Map<string, Fraction>();
      const add = (channel: string, amount: Fraction): void => {
        if (!isZero(amount)) spend.set(channel, plus(spend.get(channel) ?? ZERO, amount));
      };
      for (const entry of parts.flatMap((part) => part.spend)) {
        if (entry.currency === currency) add(entry.channel, entry.amount);
      }
      add(EXPENSE_SPEND, advertising(days, parts));
      return spend;
    },
    estimateFees: feeEstimate(rules),
    leftOut: (parts, options) => leftOut({ currency, range, expenses: foreign }, parts, options),
  };
}
