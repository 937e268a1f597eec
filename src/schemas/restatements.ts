import Type, { type Static } from 'typebox';
import { RESTATED_FIGURES } from '../domain/metrics/figure-list.js';
import { CAUSE_KINDS } from '../domain/metrics/restatements.js';
import { closed, Day, DayNumber, field, optional, rangeFields, Receipt, Timestamp } from './primitives.js';
import { validator } from './validator.js';

/** A figure as it is in an answer. */
export const Figure = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  title: 'Figure',
  description: 'Exact decimal string; of `orders` a JSON number, as of every count.',
  examples: ['120.00', 3],
});

/** One change of a figure of a closed day. */
export const RestatementEntry = Type.Object(
  {
    date: field(Day, 'The day whose figure changed.'),
    figure: Type.Enum([...RESTATED_FIGURES], {
      description: 'The figure, named as in `/v1/metrics/daily?include=expenses`.',
    }),
    before: field(Figure, 'What it was.'),
    after: field(Figure, 'What it became.'),
    at: field(Timestamp, 'From when on the service answers with `after`.'),
    causes: Type.Array(
      Type.Object(
        {
          kind: Type.Enum([...CAUSE_KINDS], {
            description:
              'What was stored: an order that came late, an edit of one (its move to another day included), a refund, an order ' +
              'that counts no more, an order that a newer release of the time zones puts on another day (`clock`), unit costs of ' +
              'the catalog, fee rules, ad spend, expenses, the source; `rebuild`: nothing was, the figures were computed anew.',
          }),
          count: Type.Integer({ description: 'Orders, rows or records of the kind.', minimum: 0 }),
          receipts: Type.Optional(
            Type.Array(Receipt, {
              description:
                'Receipts of the pushes that brought them, at most 20. Absent: none is known, as of a change in the app.',
            }),
          ),
        },
        { ...closed, title: 'Cause' },
      ),
      { description: 'Why, by kind. What was stored while the day was being computed may stand in two entries.' },
    ),
  },
  { ...closed, title: 'Restatement' },
);
export type RestatementEntry = Static<typeof RestatementEntry>;

export const NextAfterEmpty = optional(
  Type.String(),
  'Pass it as `cursor` to get the next page, also where this one is empty. Absent: this is the last.',
);

/** Response of `GET /v1/restatements`. */
export const RestatementsResponse = Type.Object(
  {
    ...rangeFields,
    restatements: Type.Array(RestatementEntry, { description: 'A page of the changes, oldest first.' }),
    next: NextAfterEmpty,
  },
  closed,
);
export type RestatementsResponse = Static<typeof RestatementsResponse>;

/** Where a page of restatements begins: the range, the moment and day, and how many of their figures were reported. */
export const RestatementPlace = Type.Object(
  {
    from: DayNumber,
    to: DayNumber,
    at: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    day: DayNumber,
    number: Type.Integer({ minimum: 0, maximum: RESTATED_FIGURES.length }),
  },
  closed,
);
export type RestatementPlace = Static<typeof RestatementPlace>;
export const restatementPlaceValidator = validator(RestatementPlace, 'cursor');
