import { Big } from 'big.js';
import { expect } from 'chai';
import { micros, wireMicros, type ReferenceFigures } from './cost-reference.js';

export interface FiguresAnswer {
  [name: string]: unknown;
  coverage: Record<string, unknown> & { revenue_without_cost: string };
}

/** The figures of an answer, with expenses and coverage, are those of the reference. */
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
  });
}

/** Percent to two decimals; so few orders never round to all of them. */
const share = (part: number, all: number): number | null =>
  all === 0 ? null : Big(part).times(100).div(all).round(2, Big.roundHalfUp).toNumber();
