import { Big } from 'big.js';
import { expect } from 'chai';
import { micros, wireMicros, type ReferenceFigures } from './cost-reference.js';

export interface FiguresAnswer {
  [name: string]: unknown;
  coverage: Record<string, unknown> & { revenue_without_cost: string };
  statement: Record<string, string>;
}

/** The figures of an answer, with expenses, coverage and statement, are those of the reference. */
export function expectFigures(got: FiguresAnswer, wanted: ReferenceFigures, where: string): void {
  const { revenue, refunds, cogs, gatewayFees, adSpend, operating } = wanted;
  const profit = revenue - refunds - cogs - gatewayFees - adSpend;
  const names = {
    revenue,
    refunds,
    net_revenue: revenue - refunds,
    cogs,
    gateway_fees: gatewayFees,
    ad_spend: adSpend,
    net_profit: profit,
    operating_expenses: operating,
    net_profit_after_expenses: profit - operating,
  };
  for (const [name, value] of Object.entries(names)) {
    expect(wireMicros(String(got[name])), `${name} ${where}`).to.equal(micros(value));
  }
  expect(got.orders, where).to.equal(wanted.orders);
  const { revenue_without_cost: uncosted, ...shares } = got.coverage;
  expect(wireMicros(uncosted), `revenue_without_cost ${where}`).to.equal(micros(wanted.uncosted));
  expect(shares, where).to.deep.equal({
    cogs_complete: share(wanted.costed, wanted.orders),
    gateway_fee_actual: share(wanted.feeActual, wanted.orders),
    tax_present: share(wanted.taxPresent, wanted.orders),
    fulfillment_known: share(wanted.fulfilled, wanted.orders),
    orders: wanted.orders,
    orders_without_cost: wanted.orders - wanted.costed,
    products_without_cost: wanted.uncostedSkus.size,
    orders_fee_estimated: wanted.feeEstimated,
    orders_without_fee: wanted.feeUnknown,
    orders_without_tax: wanted.orders - wanted.taxPresent,
    orders_without_fulfillment: wanted.orders - wanted.fulfilled,
    refunds_without_tax: wanted.refundsWithoutTax,
  });
  const statement = statementOf(wanted, profit);
  expect(Object.keys(got.statement), where).to.deep.equal(Object.keys(statement));
  for (const [name, value] of Object.entries(statement)) {
    expect(wireMicros(got.statement[name] ?? ''), `statement.${name} ${where}`).to.equal(micros(value));
  }
}

/** In the order of the statement. */
export function statementOf({ statement, operating }: ReferenceFigures, profit: bigint): Record<string, bigint> {
  const { tax_refunded, fulfillment_costs, ...parts } = statement;
  const taxes = parts.tax - tax_refunded;
  return {
    ...parts,
    tax_refunded,
    taxes,
    fulfillment_costs,
    operating_expenses: operating,
    earnings: profit - taxes - fulfillment_costs - operating,
  };
}

/** Percent to two decimals; so few orders never round to all of them. */
const share = (part: number, all: number): number | null =>
  all === 0 ? null : Big(part).times(100).div(all).round(2, Big.roundHalfUp).toNumber();
