import Type from 'typebox';
import { closed, ComputedMoney, Currency, Day, described, Money, OptionalDecimal } from './primitives.js';

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
  operating_expenses: Type.Optional(
    described<string>(Money, 'With include=expenses: accrued expenses that are no ad spend.'),
  ),
  net_profit_after_expenses: Type.Optional(
    described<string>(ComputedMoney, 'With include=expenses: net_profit minus operating_expenses.'),
  ),
};

const note = {
  currency_note: Type.Optional(
    Type.String({ description: 'Present only when spend or expenses in another currency were left out: which.' }),
  ),
};

/** Response of `GET /v1/metrics`. */
export const MetricsResponse = Type.Object({ from: Day, to: Day, currency: Currency, ...figures, ...note }, closed);

/** Response of `GET /v1/metrics/daily`. */
export const DailyMetricsResponse = Type.Object(
  {
    from: Day,
    to: Day,
    currency: Currency,
    days: Type.Array(Type.Object({ date: Day, ...figures }, closed)),
    ...note,
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
