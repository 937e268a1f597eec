import Type from 'typebox';
import { closed, ComputedMoney, Currency, Day, Money, OptionalDecimal } from './primitives.js';

const figures = {
  revenue: Money,
  refunds: Money,
  net_revenue: ComputedMoney,
  orders: Type.Integer(),
  cogs: ComputedMoney,
  gateway_fees: ComputedMoney,
  ad_spend: Money,
  net_profit: ComputedMoney,
  aov: OptionalDecimal,
  mer: OptionalDecimal,
  blended_roas: OptionalDecimal,
};

/** Response of `GET /v1/metrics`. */
export const MetricsResponse = Type.Object({ from: Day, to: Day, currency: Currency, ...figures }, closed);

/** Response of `GET /v1/metrics/daily`. */
export const DailyMetricsResponse = Type.Object(
  {
    from: Day,
    to: Day,
    currency: Currency,
    days: Type.Array(Type.Object({ date: Day, ...figures }, closed)),
  },
  closed,
);

/** Response of `GET /v1/metrics/definitions`. */
export const DefinitionsResponse = Type.Object(
  {
    metrics: Type.Array(
      Type.Object(
        { key: Type.String(), label: Type.String(), formula: Type.String(), description: Type.String() },
        closed,
      ),
    ),
  },
  closed,
);
