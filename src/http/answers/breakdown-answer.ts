import { percentage } from '../../domain/metrics/coverage.js';
import { formatDecimal, formatOptional, minus, ratio, type Fraction } from '../../domain/money.js';
import { NO_AMOUNTS, toOrderFigures } from '../../domain/orders/order-figures.js';
import type { BreakdownRow, BreakdownTotals } from '../../schemas/breakdown.js';
import type { BreakdownGroup, BreakdownSums } from '../../warehouse/queries/breakdown.js';

const netOf = ({ revenue, refunds }: BreakdownSums): Fraction => minus(revenue, refunds);

/** Sums as they go out, each rounded once. */
export function toBreakdownTotals(sums: BreakdownSums): BreakdownTotals {
  const { orders, costed, charged, revenue, refunds, cogs, fees } = sums;
  const figures = toOrderFigures({ ...NO_AMOUNTS, revenue, refunds, cogs, fees });
  return {
    orders,
    revenue: figures.revenue,
    refunds: figures.refunds,
    net_revenue: formatDecimal(netOf(sums)),
    cogs: figures.cogs,
    cogs_complete: percentage(costed, orders),
    gateway_fees: figures.gateway_fees,
    orders_without_fee: orders - charged,
    profit: figures.profit,
  };
}

/** `netRevenue` is that of all orders, as it goes out. */
export function toBreakdownRow({ key, name, ...sums }: BreakdownGroup, netRevenue: Fraction): BreakdownRow {
  return {
    key: key === '' ? null : key,
    ...(name !== key && { name }),
    ...toBreakdownTotals(sums),
    share: formatOptional(ratio(netOf(sums), netRevenue)),
  };
}
