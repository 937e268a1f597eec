import { gatewayKey } from '../costs/gateway-keys.js';
import { amountOf, FACT_SUMS, ORDER_AMOUNTS, ORDER_COUNTS, PRODUCT_AMOUNTS } from '../metrics/sums.js';
import { cut, fraction, minus, ofMicros, ratio, times, type Fraction, whole, ZERO } from '../money.js';
import type { UnitCostOn } from './catalog.js';
import { add, type Ledger } from './ledger.js';
import { isCounted, toSummedOrder } from './order-ledger.js';
import {
  newest,
  type AuditedFigures,
  type AuditedOrder,
  type AuditedProducts,
  type AuditedSpend,
  type AuditedSums,
} from './audited-rows.js';

const PRODUCT_DECIMALS = 12;

/** Adds an order to the amounts of a day: `daily_products`, and `daily_orders`. */
export function addOrder(ledger: Ledger, day: string, order: AuditedOrder, unitCostOn: UnitCostOn): void {
  if (order.placed_day === day) addPlaced(ledger, order, unitCostOn);
  if (!isCounted(order)) return;
  const figure = (name: string, amount: Fraction): void => add(ledger, `daily_orders.${name}`, amount);
  const product = (sku: string, cost: string | null, name: string, amount: Fraction): void =>
    add(ledger, `daily_products[${sku} ${order.placed_day} ${cost ?? '-'}].${name}`, amount);
  const costOf = (sku: string, own: string | null): Fraction | null =>
    own === null ? unitCostOn(sku, order.placed_day) : fraction(own);

  const read = toSummedOrder(order);
  if (order.placed_day === day) {
    const total = fraction(order.total);
    for (const { name, counts } of ORDER_COUNTS) if (counts?.(read) === true) figure(name, whole(1));
    for (const { name, sale } of ORDER_AMOUNTS) figure(name, amountOf(sale?.(read) ?? '0'));
    const gateway = gatewayKey(order.payment_gateway);
    if (order.gateway_fee === null && gateway !== '') {
      figure(`estimable[${gateway}].orders`, whole(1));
      figure(`estimable[${gateway}].revenue`, total);
    }
    let isCosted = true;
    for (const [, quantity, price, sku, discount, own] of order.lines) {
      const units = fraction(quantity);
      product(sku, own, 'lines_sold', whole(1));
      product(sku, own, 'units_sold', units);
      product(sku, own, 'discounts', fraction(discount));
      product(sku, own, 'revenue', minus(times(units, fraction(price)), fraction(discount)));
      const cost = costOf(sku, own);
      if (cost === null) isCosted = false;
      else add(ledger, 'daily_orders.cogs', times(units, cost));
    }
    if (isCosted) add(ledger, 'daily_orders.orders_costed', whole(1));
    else add(ledger, 'daily_orders.revenue_uncosted', total);
  }
  const lines = new Map(order.lines.map((line) => [line[0], line]));
  for (const stored of order.refunds) {
    if (stored.refunded_day !== day) continue;
    for (const { name, refund } of ORDER_AMOUNTS) figure(name, ofMicros(refund?.(stored, read) ?? 0n));
    for (const [ofRefund, lineId, quantity, restock] of order.refund_lines) {
      if (ofRefund !== stored.refund_id) continue;
      const [, sold = '1', price = '0', sku = '', discount = '0', own = null] = lines.get(lineId) ?? [];
      const units = fraction(quantity);
      product(sku, own, 'units_returned', units);
      // The share of the line's discount is cut where the columns end.
      const share = cut(ratio(times(units, fraction(discount)), fraction(sold)) ?? ZERO, PRODUCT_DECIMALS);
      product(sku, own, 'refunds', minus(times(units, fraction(price)), share));
      if (!restock) continue;
      product(sku, own, 'units_restocked', units);
      add(ledger, 'daily_orders.cogs', minus(ZERO, times(units, costOf(sku, own) ?? ZERO)));
    }
  }
}

const placedEntry = (name: string): string => `daily_orders.placed[${name}]`;

/** Adds an order to the sums of its placed day that have its refunds, whatever their day. */
function addPlaced(ledger: Ledger, order: AuditedOrder, unitCostOn: UnitCostOn): void {
  const placed = (name: string, amount: Fraction): void => add(ledger, placedEntry(name), amount);
  placed('listed', whole(1));
  if (!isCounted(order)) return;
  placed('gateway_fees', fraction(order.gateway_fee ?? '0'));
  for (const { total, tax_refund, gateway_fee_refund } of order.refunds) {
    placed('refunds', fraction(total));
    placed('tax_refunded', fraction(tax_refund ?? '0'));
    placed('gateway_fees', minus(ZERO, fraction(gateway_fee_refund)));
  }
  for (const [lineId, quantity, , sku, , own] of order.lines) {
    const cost = own === null ? unitCostOn(sku, order.placed_day) : fraction(own);
    if (cost === null) continue;
    placed('cogs', times(fraction(quantity), cost));
    for (const [, ofLine, units, restock] of order.refund_lines) {
      if (restock && ofLine === lineId) placed('cogs', minus(ZERO, times(fraction(units), cost)));
    }
  }
}

/** Adds the ad spend of a day: newest rows that nothing has cleared since. */
export function addSpend(ledger: Ledger, rows: readonly AuditedSpend[], clears: readonly AuditedSpend[]): void {
  const account = ({ channel, currency }: AuditedSpend): string => `${channel} ${currency}`;
  const cleared = newest(clears, account);
  for (const row of newest(rows, (each) => JSON.stringify([account(each), each.object])).values()) {
    if (BigInt(row.version) < BigInt(cleared.get(account(row))?.version ?? 0)) continue;
    add(ledger, `daily_orders.spend[${account(row)}]`, fraction(row.spend));
  }
}

/** The rows of orders add up to the figures of the day. */
export function addFacts(ledger: Ledger): void {
  for (const name of FACT_SUMS) add(ledger, `order_facts.${name}`, ledger.get(`daily_orders.${name}`) ?? ZERO);
}

interface AuditedRollups {
  figures: readonly AuditedFigures[];
  products: readonly AuditedProducts[];
  facts: AuditedSums;
}

/** What the rollups of a day say. */
export function rollupLedger({ figures, products, facts }: AuditedRollups): Ledger {
  const ledger: Ledger = new Map();
  for (const name of FACT_SUMS) add(ledger, `order_facts.${name}`, fraction(facts[name] ?? '0'));
  for (const row of newest(figures, ({ part }) => part).values()) {
    for (const [name, amount] of Object.entries(row.sums)) add(ledger, `daily_orders.${name}`, fraction(amount));
    for (const [name, amount] of Object.entries(row.placed_sums)) add(ledger, placedEntry(name), fraction(amount));
    for (const [gateway, orders, revenue] of row.estimable) {
      add(ledger, `daily_orders.estimable[${gateway}].orders`, fraction(orders));
      add(ledger, `daily_orders.estimable[${gateway}].revenue`, fraction(revenue));
    }
    for (const [channel, currency, amount] of row.spend) {
      add(ledger, `daily_orders.spend[${channel} ${currency}]`, fraction(amount));
    }
  }
  for (const row of newest(products, () => '').values()) {
    for (const [sku, costDay, cost, ...amounts] of row.products) {
      PRODUCT_AMOUNTS.forEach((name, i) => {
        const entry = `daily_products[${sku} ${costDay} ${cost ?? '-'}].${name}`;
        add(ledger, entry, fraction(amounts[i] ?? '0'));
      });
    }
  }
  return ledger;
}
