import { amountsOf, type Figures } from '../shared/answers.js';
import { micros } from '../shared/money.js';
import { amountOf, type StatementRow } from './rows.js';

/** Orders whose part of a line is not known; it counts 0 there. */
export function unknownOrders({ key }: StatementRow, { coverage }: Figures): number {
  if (key === 'cogs') return coverage.orders_without_cost;
  if (key === 'gateway_fees') return coverage.orders_without_fee;
  if (key === 'taxes') return coverage.orders_without_tax;
  return key === 'fulfillment_costs' ? coverage.orders_without_fulfillment : 0;
}

/** True where nothing of a line is known: it is not shown as 0. */
export function isUnknown(row: StatementRow, answer: Figures): boolean {
  const unknown = unknownOrders(row, answer);
  return unknown > 0 && unknown === answer.orders && micros(amountOf(row, amountsOf(answer))) === 0n;
}
