import Type, { type Static } from 'typebox';
import { EARNINGS_PARTS } from '../domain/metrics/contributions.js';
import { closed, ComputedMoney, Day, field, optional, rangeFields } from './primitives.js';

export const BECAUSE_KINDS = ['order', 'refund', 'channel', 'expense', 'day'] as const;
/** Most of a part. */
export const MAX_BECAUSE = 3;

const Because = Type.Object(
  {
    kind: Type.Enum([...BECAUSE_KINDS], { description: 'What it is.' }),
    id: Type.Optional(
      Type.String({
        description:
          'The order; the refund; the channel; `external_id` of the expense, absent on one made in the app. Absent on a day.',
      }),
    ),
    name: Type.Optional(
      Type.String({ description: 'Of an expense its name, of a refund the id of its order. Else absent.' }),
    ),
    date: optional(Day, 'Of an order, a refund and a day: the local day. It lies in either range. Else absent.'),
    change: field(
      ComputedMoney,
      'What it added to the change of earnings; what was only in the days before took that off.',
    ),
  },
  closed,
);

const Part = Type.Object(
  {
    figure: Type.Enum([...EARNINGS_PARTS.map(({ figure }) => figure), 'rounding'], {
      description: 'The figure; `rounding` is what single roundings leave over.',
    }),
    change: field(ComputedMoney, 'What it added to the change of earnings: more of a cost takes off.'),
    because: Type.Array(Because, {
      maxItems: MAX_BECAUSE,
      description: 'What weighed most in the same direction, largest first.',
    }),
  },
  closed,
);
export type WhyPart = Static<typeof Part>;
export type WhyCause = Static<typeof Because>;

/** Response of `GET /v1/metrics/why`. */
export const WhyResponse = Type.Object(
  {
    ...rangeFields,
    compared: Type.Object(
      { from: field(Day, 'First day.'), to: field(Day, 'Last day.') },
      { ...closed, description: 'The days before.' },
    ),
    figure: Type.Enum(['earnings'], { description: 'The figure.' }),
    change: field(ComputedMoney, 'By how much it is more than in the days before.'),
    parts: Type.Array(Part, {
      description: 'They add up to `change`, largest first, whichever its sign. One that did not change is absent.',
    }),
  },
  closed,
);
export type WhyResponse = Static<typeof WhyResponse>;
