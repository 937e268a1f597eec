import type { View } from '../app/view.js';
import type { ExplainResponse } from '../../../schemas/contributions.js';
import type { GatewayFeeRules } from '../../../schemas/gateway-fees.js';
import { shopApi } from '../shared/api.js';
import type { MetricsAnswer } from '../shared/answers.js';
import { formatCount, formatExactMoney, formatQuantity } from '../shared/money.js';
import { useRead } from '../shared/use-read.js';

const of = (count: number, one: string): string => `${formatCount(count)} ${count === 1 ? one : `${one}s`}`;

/** What is said after the names of parts: how many they are of, and by which rule fees are estimated. */
export function useNotes(view: View, figures: MetricsAnswer | null, products: number | undefined) {
  const { shop, from, to, currency } = view;
  const estimated = (figures?.coverage.orders_fee_estimated ?? 0) > 0;
  const refunds = useRead<ExplainResponse>(
    shopApi(shop, `/v1/metrics/explain?figure=refunds&from=${from}&to=${to}&limit=1`),
  );
  const fees = useRead<GatewayFeeRules>(estimated ? shopApi(shop, '/gateway-fees') : null);
  const notes: Record<string, string> = {};
  if (refunds.data !== null && refunds.data.count > 0) notes.refunds = of(refunds.data.count, 'refund');
  const unknown = figures?.coverage.orders_without_cost ?? 0;
  if (products !== undefined && products > 0 && unknown === 0) notes.cogs = of(products, 'product');
  const [rule, ...more] = fees.data?.rules ?? [];
  if (estimated && rule !== undefined) {
    const { payment_gateway: gateway, percent, fixed } = rule;
    notes.gateway_fees =
      more.length > 0
        ? `≈ estimated by ${formatCount(more.length + 1)} rules`
        : `≈ estimated, ${gateway} ${formatQuantity(percent)}% + ${formatExactMoney(fixed, currency)}`;
  }
  return notes;
}
