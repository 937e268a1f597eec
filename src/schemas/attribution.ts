import Type from 'typebox';
import { attributionModels, type AttributionModel } from '../domain/attribution.js';
import { closed, ComputedMoney, Currency, Day, Money, OptionalDecimal } from './primitives.js';

/** How the credit for an order is given to the touches of its visitor in the 30 days before it. */
export const AttributionModelName = Type.Enum(attributionModels as [AttributionModel, ...AttributionModel[]], {
  default: 'last_touch',
  description:
    'last_touch: the nearest touch that is not direct; first_touch: the farthest; linear: all of them in equal parts.',
});

/** Response of `GET /v1/attribution`. */
export const AttributionResponse = Type.Object(
  {
    from: Day,
    to: Day,
    currency: Currency,
    model: AttributionModelName,
    channels: Type.Array(
      Type.Object(
        {
          channel: Type.String({
            description:
              'Such as google_ads, organic_search or email; new ones appear over time. unattributed: no visit is tied to the order. custom:<label>: spend that no channel of orders matches. expenses: those that count as ad spend.',
          }),
          orders: Type.Number({
            minimum: 0,
            description: 'Whole with last_touch and first_touch; with linear a share of at most six decimals.',
          }),
          revenue: Money,
          refunds: Money,
          net_revenue: ComputedMoney,
          ad_spend: Money,
          roas: OptionalDecimal,
        },
        closed,
      ),
      { description: 'Each column adds up exactly to the figure of GET /v1/metrics over the same range.' },
    ),
    currency_note: Type.Optional(
      Type.String({ description: 'Present only when spend in other currencies was left out.' }),
    ),
  },
  closed,
);
