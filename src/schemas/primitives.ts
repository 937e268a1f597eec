import Type, { type TSchema, type TUnsafe } from 'typebox';
import { RATE_PATTERN } from '../domain/costs/rate-form.js';
import { ALL_DAYS } from '../domain/metrics/range.js';
import { DECIMAL_PATTERN } from '../domain/micros.js';
import { MAX_CHARACTERS } from '../errors.js';

/**
 * The wire's scalar types. A `format` names the rule that the validator applies and the error code that breaking it gives;
 * the OpenAPI document shows the same objects, each schema with a `title` as a component of that name, with `x-shown` in place of a
 * format that is no standard one.
 */

export const Money = Type.String({
  title: 'Money',
  format: 'money',
  'x-shown': { pattern: DECIMAL_PATTERN.source },
  description: 'Money: a plain non-negative decimal string, at most 15 integer and 6 fraction digits.',
  examples: ['120.50'],
});

export const Quantity = Type.String({
  title: 'Quantity',
  format: 'quantity',
  'x-shown': { pattern: DECIMAL_PATTERN.source },
  description: 'Quantity: a plain non-negative decimal string, at most 15 integer and 6 fraction digits.',
  examples: ['2'],
});

export const Rate = Type.String({
  title: 'Rate',
  format: 'rate',
  'x-shown': { pattern: RATE_PATTERN.source },
  description: 'An exchange rate: a plain decimal string above 0, at most 12 integer and 12 fraction digits.',
  examples: ['0.9217'],
});

/** RFC 3339 with an explicit offset, kept to the microsecond. */
export const Timestamp = Type.String({
  title: 'Timestamp',
  format: 'date-time',
  description: 'RFC 3339 timestamp with an explicit offset; a leap second is the first instant of the next second.',
  examples: ['2026-03-01T09:30:00+01:00'],
});

/** `YYYY-MM-DD`. */
export const Day = Type.String({
  title: 'Day',
  format: 'date',
  description: 'Calendar day from 1970-01-01 to 2148-12-31, YYYY-MM-DD.',
  examples: ['2026-03-01'],
});

/** ISO 4217 alpha-3. */
export const Currency = Type.String({
  title: 'Currency',
  format: 'currency',
  'x-shown': { pattern: '^[A-Z]{3}$' },
  description: 'ISO 4217 alpha-3 code.',
  examples: ['EUR'],
});

/** ISO 3166-1 alpha-2. */
export const Country = Type.String({
  title: 'Country',
  format: 'country',
  'x-shown': { pattern: '^[A-Za-z]{2}$' },
  description: 'ISO 3166-1 alpha-2 code, or XK.',
  examples: ['DE'],
});

/** No control character and no half of a surrogate pair. */
export const ID_PATTERN = '^[^\\p{Cc}\\p{Cs}]*$';

/** {@link ID_PATTERN} of a text. */
export function isPrintable(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char < 0x20 || (char >= 0x7f && char < 0xa0)) return false;
    if ((char & SURROGATE_MASK) !== SURROGATE) continue;
    const next = text.charCodeAt(i + 1);
    if (char > LAST_HIGH_SURROGATE || (next & SURROGATE_MASK) !== SURROGATE || next <= LAST_HIGH_SURROGATE)
      return false;
    i++;
  }
  return true;
}

const SURROGATE_MASK = 0xf800;
const SURROGATE = 0xd800;
const LAST_HIGH_SURROGATE = 0xdbff;

/** An identifier of the client's: 1-255 characters without control characters. */
export const Id = Type.String({
  title: 'Id',
  minLength: 1,
  maxLength: MAX_CHARACTERS,
  pattern: ID_PATTERN,
  description: 'An id of the client: 1-255 characters without control characters.',
});

/** A SKU: blanks at either end make no difference. */
export const Sku = Type.String({
  ...Id,
  title: 'Sku',
  format: 'not-blank',
  description: 'A SKU: 1-255 characters without control characters. Blanks at either end make no difference.',
});

/** No half of a surrogate pair, which has no bytes in UTF-8 that a store could keep. */
export const TEXT_PATTERN = '^\\P{Cs}*$';

/** A free text. */
export const Text = Type.String({ maxLength: MAX_CHARACTERS, pattern: TEXT_PATTERN });
/** One that is not empty. */
export const Label = Type.String({ ...Text, minLength: 1 });
/** A title, which may be longer. */
export const LongText = Type.String({ maxLength: 1000, pattern: TEXT_PATTERN });

/** Entries of a page of a list, where nothing else is said (contract: "Explaining figures"). */
export const PAGE = { default: 100, max: 250 } as const;

/** In which direction a list is sorted. */
export const DIRECTIONS = ['asc', 'desc'] as const;
export type SortDirection = (typeof DIRECTIONS)[number];

/** An object in which only the named fields may stand. */
export const closed = { additionalProperties: false } as const;

/** The range of an answer, and the currency of its amounts. */
export const rangeFields = {
  from: field(Day, 'First day of the range, inclusive.'),
  to: field(Day, 'Last day of the range, inclusive.'),
  currency: field(Currency, 'Currency of the shop, and of all amounts.'),
};

/** The cursor of the next page. */
export const Next = Type.Optional(
  Type.String({ description: 'Pass it as `cursor` to get the next page. Absent: this is the last.' }),
);

/** A day in a cursor. */
export const DayNumber = Type.Integer({ minimum: 0, maximum: ALL_DAYS.to });

/** A string that may be null. */
export const NullableId: TUnsafe<string | null> = nullable<string>(Id);
/** Money that may be null. */
export const NullableMoney: TUnsafe<string | null> = nullable<string>(Money);
/** A rate that may be null. */
export const NullableRate: TUnsafe<string | null> = nullable<string>(Rate);
/** What a result repeats of an item, which may have been anything: null when it was no string. */
export const NullableText: TUnsafe<string | null> = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'As supplied; null when it was absent or not a string.',
});
/** An instant that may be null. */
export const NullableTimestamp: TUnsafe<string | null> = nullable<string>(Timestamp);
/** A day that may be null. */
export const NullableDay: TUnsafe<string | null> = nullable<string>(Day);
/** The last day of something that may go on; null: it does. */
export const NullableEndDay: TUnsafe<string | null> = Type.Unsafe<string | null>({
  title: 'NullableEndDay',
  type: ['string', 'null'],
  format: 'end-day',
  'x-shown': { format: 'date' },
  description: 'Calendar day from 1970-01-01 to 9999-12-31, or null.',
});

/** What a schema means where it is. */
interface Meaning {
  /** What an absent field is taken for. */
  default?: unknown;
  examples?: readonly unknown[];
}

/** A schema as a field with words of its own. */
export function field<S extends TSchema>(schema: S, description: string, meaning: Meaning = {}): S {
  return { ...schema, description, ...meaning };
}

/** A field that may be absent; then it is taken for the default, or as its description says. */
export function optional<S extends TSchema>(schema: S, description: string, meaning: Meaning = {}) {
  return Type.Optional(field(schema, description, meaning));
}

/** A flag that is off unless it is sent. */
export function flag(description: string) {
  return optional(Type.Boolean(), description, { default: false });
}

/** A money value that the service computed: may be negative. */
export const ComputedMoney = Type.String({
  title: 'ComputedMoney',
  description: 'Exact decimal string: at least two, at most six decimals, rounded half-up; may be negative.',
  examples: ['1044.80'],
});

/** A ratio or average that may not exist. */
export const OptionalDecimal: TUnsafe<string | null> = Type.Unsafe<string | null>({
  title: 'OptionalDecimal',
  type: ['string', 'null'],
  description: 'Exact decimal string of at most six decimals, or null where the divisor is zero.',
});

function nullable<T>(schema: TSchema): TUnsafe<T | null> {
  const title = (schema as { title?: string }).title;
  return Type.Unsafe<T | null>({
    ...schema,
    type: ['string', 'null'],
    ...(title !== undefined && { title: `Nullable${title}` }),
  });
}

const RECEIPT =
  'Names the push. A read of figures with `after=<receipt>` answers only what contains it and all earlier pushes.';

/** What a push is asked after by: the `receipt` of its answer. */
export const Receipt = Type.String({
  title: 'Receipt',
  pattern: '^[A-Za-z0-9._-]{1,200}$',
  description: RECEIPT,
  examples: ['019ca8b2-5b1c-7d6e-9f37-2a4c6e8b0d15'],
});
/** That of a batch, which may have been refused item by item. */
export const BatchReceipt = optional(Receipt, `${RECEIPT} Absent: nothing was accepted.`);
