import Type, { type Static } from 'typebox';
import { RESTATED_FIGURES, type RestatedFigure } from '../domain/metrics/figure-list.js';
import { CAUSE_KINDS } from '../domain/metrics/restatements.js';
import { closed, Day, DayNumber, field, optional, rangeFields, Receipt, Timestamp } from './primitives.js';
import { Figure, NextAfterEmpty } from './restatements.js';
import { validator } from './validator.js';

const Change = Type.Object(
  {
    before: field(Figure, 'Its sum over the days that changed, before.'),
    after: field(Figure, 'The same with what the cause changed.'),
  },
  closed,
);

const Figures = Type.Unsafe<Partial<Record<RestatedFigure, Static<typeof Change>>>>({
  type: 'object',
  properties: Object.fromEntries(
    RESTATED_FIGURES.map((figure) => [figure, optional(Change, `How \`${figure}\` changed. Absent: it did not.`)]),
  ),
  additionalProperties: false,
  description: 'The figures that it changed.',
});

/** What pushes of one kind by one key changed. */
export const CauseEntry = Type.Object(
  {
    kind: Type.Enum([...CAUSE_KINDS], { description: 'What was stored, as in the list of changes.' }),
    at: field(Timestamp, 'When the last of its changes came to count.'),
    count: Type.Integer({
      minimum: 0,
      description: 'Orders, rows or records of the kind; an order on each day that it changed.',
    }),
    days: Type.Integer({ minimum: 1, description: 'Days that it changed.' }),
    figures: Figures,
    by_day: Type.Optional(
      Type.Array(
        Type.Object(
          { date: field(Day, 'A day that changed.'), ...Change.properties },
          { ...closed, title: 'ChangedDay' },
        ),
        {
          description:
            'How the asked `figure` changed on each day, the last day first; together they are its change above. Absent without `figure`.',
        },
      ),
    ),
    receipts: Type.Array(Receipt, {
      description: 'Of its pushes, newest first, at most 20. Empty: none is known, as of a change in the app.',
    }),
    names: Type.Array(Type.String(), {
      description: 'SKUs of unit costs, or names of expenses, at most 20. Else empty.',
    }),
  },
  { ...closed, title: 'RestatementCause' },
);
export type CauseEntry = Static<typeof CauseEntry>;

/** Response of `GET /v1/restatements?group=cause`. */
export const CausesResponse = Type.Object(
  {
    ...rangeFields,
    causes: Type.Array(CauseEntry, { description: 'With `group=cause`: a page of the causes, newest first.' }),
    next: NextAfterEmpty,
  },
  { ...closed, title: 'CausesResponse' },
);
export type CausesResponse = Static<typeof CausesResponse>;

/** Where a page of causes begins: the range, the newest moment and day, and how many causes from there on were reported. */
export const CausePlace = Type.Object(
  {
    from: DayNumber,
    to: DayNumber,
    at: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    day: DayNumber,
    skip: Type.Integer({ minimum: 0, maximum: 100_000 }),
  },
  closed,
);
export type CausePlace = Static<typeof CausePlace>;
export const causePlaceValidator = validator(CausePlace, 'cursor');
