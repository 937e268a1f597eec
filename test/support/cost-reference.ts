import { DateTime } from 'luxon';
import type { OrderInput } from '../../src/domain/orders/orders.js';
import type { Expense } from '../../src/schemas/expenses.js';
import type { GatewayFeeRule } from '../../src/schemas/gateway-fees.js';
import type { CatalogItem, CostPush, SpendItem } from './cost-arbitrary.js';
import { addSale, emptyStatement, withKnownCosts, type StatementPart } from './cost-statement.js';
import { product, UNIT, units } from './cost-units.js';
import { referenceDay } from './order-reference.js';

/** Rounded half-up at the sixth decimal, as a plain number of micros. */
export function micros(value: bigint): bigint {
  const [sign, size] = value < 0n ? [-1n, -value] : [1n, value];
  return sign * ((size * 2_000_000n + UNIT) / (2n * UNIT));
}

/** Micros of a decimal string of the wire. */
export function wireMicros(text: string): bigint {
  const [whole = '0', digits = ''] = text.replace('-', '').split('.');
  return BigInt(whole + digits.padEnd(6, '0')) * (text.startsWith('-') ? -1n : 1n);
}

export interface ReferenceFigures {
  orders: number;
  revenue: bigint;
  refunds: bigint;
  cogs: bigint;
  gatewayFees: bigint;
  adSpend: bigint;
  operating: bigint;
  /** Orders that have what, and the revenue of those without every cost. */
  costed: number;
  feeActual: number;
  taxPresent: number;
  uncosted: bigint;
  feeEstimated: number;
  feeUnknown: number;
  fulfilled: number;
  refundsWithoutTax: number;
  /** SKUs sold without a known cost; empty: lines without one. */
  uncostedSkus: Set<string>;
  statement: Record<StatementPart, bigint>;
}

/** What stands after all pushes. */
export interface ReferenceState {
  orders: OrderInput[];
  catalog: Map<string, CatalogItem>;
  /** By order and kind; null: taken back. */
  orderCosts: Map<string, string | null>;
  spend: Map<string, SpendItem>;
  rules: GatewayFeeRule[];
  expenses: Map<string, Expense>;
}

export function settle(pushes: readonly CostPush[]): ReferenceState {
  const state: ReferenceState = {
    orders: [],
    catalog: new Map(),
    orderCosts: new Map(),
    spend: new Map(),
    rules: [],
    expenses: new Map(),
  };
  for (const push of pushes) {
    if (push.kind === 'orders') state.orders.push(...push.orders);
    else if (push.kind === 'rules') state.rules = push.rules;
    else if (push.kind === 'order_costs') {
      for (const { order_id, ...costs } of push.costs) {
        for (const [kind, amount] of Object.entries(costs)) state.orderCosts.set(`${order_id}|${kind}`, amount);
      }
    } else if (push.kind === 'expense') {
      if (push.expense === null) state.expenses.delete(push.externalId);
      else state.expenses.set(push.externalId, push.expense);
    } else if (push.kind === 'catalog') {
      for (const item of push.costs) {
        const key = `${item.sku}|${item.effective_from ?? ''}`;
        if (item.deleted) state.catalog.delete(key);
        else state.catalog.set(key, item);
      }
    } else {
      for (const row of push.rows) {
        const day = `${row.channel.toLowerCase().replace(/[^a-z:]/g, '')}|${row.event_date}|${row.currency}|`;
        if (Number(row.spend) === 0 && row.campaign_id === undefined) {
          for (const key of [...state.spend.keys()]) if (key.startsWith(day)) state.spend.delete(key);
        } else state.spend.set(day + (row.campaign_id ?? ''), row);
      }
    }
  }
  return state;
}

const folded = (name: string): string => name.replaceAll('ß', 'ss').toLowerCase();

/** Figures of an inclusive range of days. */
export function referenceFigures(state: ReferenceState, zone: string, from: string, to: string): ReferenceFigures {
  const sum: ReferenceFigures = {
    orders: 0,
    revenue: 0n,
    refunds: 0n,
    cogs: 0n,
    gatewayFees: 0n,
    adSpend: 0n,
    operating: 0n,
    costed: 0,
    feeActual: 0,
    taxPresent: 0,
    uncosted: 0n,
    feeEstimated: 0,
    feeUnknown: 0,
    fulfilled: 0,
    refundsWithoutTax: 0,
    uncostedSkus: new Set(),
    statement: emptyStatement(),
  };
  for (const day of daysOf(from, to)) addDay(sum, state, zone, day);
  return sum;
}

/** What an order's figures are: revenue, refunds, COGS, fees, profit, taxes and earnings. */
export function orderFigures({ revenue, refunds, cogs, gatewayFees, statement }: ReferenceFigures): bigint[] {
  const profit = revenue - refunds - cogs - gatewayFees;
  const taxes = statement.tax - statement.tax_refunded;
  return [revenue, refunds, cogs, gatewayFees, profit, taxes, profit - taxes - statement.fulfillment_costs];
}

export function daysOf(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = DateTime.fromISO(from, { zone: 'utc' }); (day.toISODate() ?? '') <= to; day = day.plus({ days: 1 })) {
    days.push(day.toISODate() ?? '');
  }
  return days;
}

function addDay(sum: ReferenceFigures, state: ReferenceState, zone: string, day: string): void {
  let orders = 0;
  let revenue = 0n;
  for (const sent of state.orders) {
    const order = withKnownCosts(sent, state);
    if (order.status !== 'paid' || order.is_test === true || order.deleted === true) continue;
    const placed = referenceDay(order.placed_at, zone);
    const cost = (lineId: string): string => costOf(order, lineId, placed, state.catalog) ?? '0';
    if (placed === day) {
      orders += 1;
      revenue += units(order.total);
      for (const line of order.line_items) sum.cogs += product(line.quantity, cost(line.line_id));
      if (order.line_items.some((line) => costOf(order, line.line_id, placed, state.catalog) === undefined)) {
        sum.uncosted += units(order.total);
      } else sum.costed += 1;
      if (order.gateway_fee !== undefined) sum.feeActual += 1;
      if (order.tax !== undefined) sum.taxPresent += 1;
      const rule = state.rules.find((item) => folded(item.payment_gateway) === folded(order.payment_gateway ?? ''));
      if (order.gateway_fee !== undefined) sum.gatewayFees += units(order.gateway_fee);
      else if (rule !== undefined) {
        sum.gatewayFees += product(rule.percent, order.total) / 100n + units(rule.fixed);
        sum.feeEstimated += 1;
      } else sum.feeUnknown += 1;
      for (const line of order.line_items) {
        if (costOf(order, line.line_id, placed, state.catalog) === undefined) sum.uncostedSkus.add(line.sku ?? '');
      }
      addSale(sum, order);
    }
    for (const refund of order.refunds ?? []) {
      if (referenceDay(refund.refunded_at, zone) !== day) continue;
      sum.refunds += units(refund.total);
      sum.gatewayFees -= units(refund.gateway_fee_refund ?? '0');
      sum.statement.tax_refunded += units(refund.tax_refund ?? '0');
      if (refund.tax_refund === undefined && Number(order.tax ?? 0) > 0) sum.refundsWithoutTax += 1;
      for (const line of refund.line_items ?? []) {
        if (line.restock === true) sum.cogs -= product(line.quantity, cost(line.line_id));
      }
    }
  }
  sum.orders += orders;
  sum.revenue += revenue;
  for (const row of state.spend.values()) {
    if (row.event_date === day && row.currency === 'EUR') sum.adSpend += units(row.spend);
  }
  for (const expense of state.expenses.values()) {
    if (expense.currency !== 'EUR') continue;
    const amount = accrued(expense, day, orders, revenue);
    if (expense.counts_as_ad_spend) sum.adSpend += amount;
    else sum.operating += amount;
  }
}

export function costOf(
  order: OrderInput,
  lineId: string,
  placed: string,
  catalog: ReadonlyMap<string, CatalogItem>,
): string | undefined {
  const line = order.line_items.find((item) => item.line_id === lineId);
  if (line?.unit_cost !== undefined) return line.unit_cost;
  const versions = [...catalog.values()].filter(
    (item) => item.sku === line?.sku && (item.effective_from ?? '') <= placed,
  );
  versions.sort((a, b) => ((a.effective_from ?? '') < (b.effective_from ?? '') ? 1 : -1));
  return versions[0]?.unit_cost;
}

function accrued(expense: Expense, day: string, orders: number, revenue: bigint): bigint {
  const amount = units(expense.amount);
  if (expense.frequency === 'one_time') return day === expense.started_on ? amount : 0n;
  if (day < expense.started_on || (expense.ended_on !== null && day > expense.ended_on)) return 0n;
  const date = DateTime.fromISO(day, { zone: 'utc' });
  switch (expense.frequency) {
    case 'monthly':
      return amount / BigInt(date.daysInMonth ?? 0);
    case 'weekly':
      return amount / 7n;
    case 'yearly':
      return amount / BigInt(date.daysInYear);
    case 'per_order':
      return amount * BigInt(orders);
    default:
      return (amount * revenue) / (100n * UNIT);
  }
}
