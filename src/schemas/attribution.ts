import Type, { type Static } from 'typebox';
import { Note } from './metrics.js';
import {
  closed,
  ComputedMoney,
  Day,
  field,
  Money,
  NullableText,
  optional,
  OptionalDecimal,
  rangeFields,
} from './primitives.js';

export const ATTRIBUTION_MODELS = ['last_touch', 'first_touch', 'linear'] as const;
/** How the credit for an order is given to the touches of its visitor in the 30 days before it. */
export type AttributionModel = (typeof ATTRIBUTION_MODELS)[number];

export const AttributionModelName = Type.Enum([...ATTRIBUTION_MODELS], {
  default: 'last_touch',
  description:
    'last_touch: the nearest touch that is not direct; first_touch: the farthest; linear: all of them in equal parts.',
});

const part = (description: string) =>
  Type.Object(
    {
      orders: Type.Number({ minimum: 0, description: 'Orders, or parts of them.' }),
      revenue: field(Money, 'Their revenue.'),
      net_revenue: field(ComputedMoney, 'Their revenue less their refunds.'),
    },
    { ...closed, description },
  );

/** What rows are by, within a channel. */
export const ATTRIBUTION_BY = ['campaign'] as const;

const Channel = Type.String({
  description:
    'Such as google_ads, organic_search or email; new ones appear over time. unattributed: no visit is tied to the order. custom:<label>: spend that no channel of orders matches. expenses: those that count as ad spend.',
});
const figures = {
  orders: Type.Number({
    minimum: 0,
    description: 'Whole with last_touch and first_touch; with linear a share of at most six decimals.',
  }),
  revenue: field(Money, 'Revenue of these orders, at the day of the order.'),
  refunds: field(Money, 'Refunds of orders of this channel, at the day of the refund.'),
  net_revenue: field(ComputedMoney, '`revenue` minus `refunds`.'),
  cogs: field(
    ComputedMoney,
    'Product costs of these orders, at the day of the order, less those of what was restocked, at the day of the refund. An unknown cost counts 0.',
  ),
  gateway_fees: field(
    ComputedMoney,
    'Gateway fees of these orders, actual or estimated, at the day of the order, less what refunds gave back, at their day.',
  ),
  ad_spend: field(Money, 'Ad spend of this channel in the currency of the shop.'),
  profit: field(ComputedMoney, '`net_revenue` minus `cogs`, `gateway_fees` and `ad_spend`, rounded once.'),
  roas: field(OptionalDecimal, '`revenue` / `ad_spend`; null when nothing was spent.'),
  proved: part(
    'The part of the channel that rests on proved visits: an ad click id that no other sign contradicts, or a known organic referrer. `proved`, `claimed` and `ambiguous` add up to the channel.',
  ),
  claimed: part('The part that rests on visits of which campaign parameters alone say where they came from.'),
  ambiguous: part(
    'The part that rests on visits without a sign, or with signs that contradict each other; of `unattributed` all of it.',
  ),
};
const CAMPAIGN =
  'What names the campaign: the `utm_campaign` of the visit, else the campaign id of the click, in the newest spelling; where that is a ' +
  '`campaign_id` of spend, or no order names the campaign, the `campaign_name`. Null: what names none, and the rest of more than 1,000 ' +
  'campaigns.';
const CAMPAIGN_ID = 'The `campaign_id` of its spend. Null: its spend has none, or several that share the name.';

/** What a channel is credited with. */
export const ChannelRow = Type.Object({ channel: Channel, ...figures }, closed);
export type ChannelRow = Static<typeof ChannelRow>;

/** What a campaign of a channel is credited with. */
export const CampaignRow = Type.Object(
  {
    channel: Channel,
    campaign: field(NullableText, CAMPAIGN),
    campaign_id: field(NullableText, CAMPAIGN_ID),
    ...figures,
  },
  closed,
);
export type CampaignRow = Static<typeof CampaignRow>;

/** Either of them. */
const Row = Type.Object(
  {
    channel: Channel,
    campaign: optional(NullableText, `${CAMPAIGN} Absent: not asked by campaign.`),
    campaign_id: optional(NullableText, `${CAMPAIGN_ID} Absent: not asked by campaign.`),
    ...figures,
  },
  closed,
);

export const LOSS_CAUSES = ['no_pixel', 'before_pixel', 'not_named', 'too_old', 'clock', 'bot'] as const;
/** Why no visit is credited with an order. */
export type LossCause = (typeof LOSS_CAUSES)[number];

/** Unattributed orders of a day. */
export const Loss = Type.Object(
  {
    date: field(Day, 'Day of the orders, in the time zone of the shop.'),
    cause: Type.Enum([...LOSS_CAUSES], {
      description:
        'no_pixel: no event of the shop arrived that day. before_pixel: the first event ever arrived on a later day. not_named: events ' +
        "arrived, and none names the order; consent that was refused, a blocked script and a page that was left before its end can't be told " +
        'apart. too_old: the visits lie more than 30 days before the order, or began where the pixel saw nothing of how. clock: the visits ' +
        'lie after the order, by the clock of the visitor, or the event that named the order was dropped for its time. bot: that event came ' +
        'from a bot.',
    }),
    orders: Type.Integer({ minimum: 0, description: 'Counted orders.' }),
    revenue: field(Money, 'Their revenue.'),
  },
  { ...closed, title: 'Loss' },
);
export type Loss = Static<typeof Loss>;

/** Response of `GET /v1/attribution`. */
export const AttributionResponse = Type.Object(
  {
    ...rangeFields,
    model: AttributionModelName,
    by: optional(
      Type.Enum([...ATTRIBUTION_BY]),
      'As asked. Absent: a row is a channel, without `campaign` and `campaign_id`.',
    ),
    channels: Type.Array(Row, {
      description:
        'Each column adds up exactly to the figure of GET /v1/metrics over the same range; by campaign also to the row of the channel.',
    }),
    losses: optional(
      Type.Array(Loss),
      'With `include=losses`, by day and cause: together they are the orders and the revenue of `unattributed`. Absent: not asked for.',
    ),
    ...Note.properties,
  },
  closed,
);
export type AttributionResponse = Static<typeof AttributionResponse>;
