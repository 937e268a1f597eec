import Type, { type TSchema } from 'typebox';
import { parsePastMoment } from '../domain/as-of.js';
import { MAX_RANGE_DAYS, parseRange, type DayRange } from '../domain/metrics/range.js';
import { parseReceipt, type Receipt as PushReceipt } from '../domain/receipts.js';
import { charactersIn, isRequestError, MAX_CHARACTERS } from '../errors.js';
import { Day, Id, PAGE, Receipt, Timestamp } from '../schemas/primitives.js';
import { EXPORT_PAGE } from './exports/send-export.js';
import type { Parameter } from './openapi/operation.js';
import type { QueryPart, QueryText } from './query.js';

type Documented = Pick<Parameter, 'description' | 'schema' | 'required' | 'explode' | 'errors'>;

/** A parameter of which `parse` makes a value. Null means a fault, which is reported with `rule`. */
export function parameter<Value>(
  name: string,
  documented: Documented,
  parse: (text: string) => Value | null,
  rule: string,
): QueryPart<Value | undefined> {
  return {
    parameters: [{ name, in: 'query', ...documented }],
    read: (text) => parsed(text, name, parse, rule),
  };
}

function parsed<Value>(
  text: QueryText,
  name: string,
  parse: (text: string) => Value | null,
  rule: string,
): Value | undefined {
  const given = text.take(name);
  const value = given === undefined ? undefined : parse(given);
  if (value === null) text.refuse({ code: 'invalid_value', message: `${name} ${rule}.`, field: name });
  return value ?? undefined;
}

/** Notes what a rule throws. */
function attempt<Value>(text: QueryText, rule: () => Value): Value | undefined {
  try {
    return rule();
  } catch (error) {
    if (!isRequestError(error)) throw error;
    for (const fault of error.errors) text.refuse(fault);
    return undefined;
  }
}

/**
 * `from` and `to` of a request for figures (specification: "GET /v1/metrics rules").
 *
 * @param most days that it may hold, and what to ask for instead of more
 */
export const rangeOf = (most: (text: QueryText) => { days: number; advice?: string }): QueryPart<DayRange> => ({
  parameters: [
    {
      name: 'from',
      in: 'query',
      description: 'First day, inclusive; 29 days before `to` when absent.',
      schema: Day,
      errors: ['invalid_range', 'range_too_long'],
    },
    { name: 'to', in: 'query', description: 'Last day, inclusive; today (UTC) when absent.', schema: Day },
  ],
  read(text, { nowMs }) {
    const [from, to] = [text.take('from'), text.take('to')];
    const { days, advice } = most(text);
    return attempt(text, () => parseRange(from, to, nowMs, days, advice)) ?? { from: 0, to: 0 };
  },
});

export const RANGE = rangeOf(() => ({ days: MAX_RANGE_DAYS }));

/** Of every read of figures. */
export const AFTER: QueryPart<PushReceipt | undefined> = parameter(
  'after',
  {
    description:
      'The `receipt` of a push: the answer contains it and all pushes of the shop that were accepted before it. The service waits up to 5 s for that, then answers 503 `not_fresh_yet`. Absent: it waits for nothing.',
    schema: Receipt,
    errors: ['not_fresh_yet'],
  },
  parseReceipt,
  'must be the receipt of a push',
);

/** A moment of the past that is kept, in microseconds since 1970. */
export function pastMoment(name: string, description: string): QueryPart<number | undefined> {
  return {
    parameters: [{ name, in: 'query', description, schema: Timestamp }],
    read(text, { nowMs, keptDays }) {
      const given = text.take(name);
      return given === undefined ? undefined : attempt(text, () => parsePastMoment(name, given, nowMs, keptDays));
    },
  };
}

/** Of reads whose past can be asked. */
export const AS_OF = pastMoment(
  'as_of',
  'A moment: the answer is what the service answered then, with the orders, costs, fee rules, expenses and rates that were in its ' +
    'figures then. Zero before the first push. The same moment always has the same answer; of one less than 250 ms ago the ' +
    'service waits until that time is over. A change counts from the moment at which it was computed, some milliseconds ' +
    'before a read could meet it. A moment to come, or longer ago than the past is kept (400 days, unless the operator has ' +
    'set another time), is `invalid_range`. Absent: the newest figures.',
);

const FLAGS = ['1', 'true', '0', 'false'] as const;
const isOn = (value: (typeof FLAGS)[number] | undefined): boolean | undefined =>
  value && (value === '1' || value === 'true');

/** On with `1` or `true`, off with `0` or `false`, and where it is absent. */
export function switchOn(name: string, description: string): QueryPart<boolean> {
  const either = oneOf(name, FLAGS, description, Type.Enum([...FLAGS], { default: '0' }));
  return { ...either, read: (...query) => isOn(either.read(...query)) ?? false };
}

/** On, off, or either where it is absent. */
export function flag(name: string, description: string): QueryPart<boolean | undefined> {
  const either = oneOf(name, FLAGS, `${description} Absent: both.`);
  return { ...either, read: (...query) => isOn(either.read(...query)) };
}

/** One value of a fixed set. */
export function oneOf<Value extends string>(
  name: string,
  values: readonly Value[],
  description: string,
  schema: TSchema = Type.Enum([...values]),
): QueryPart<Value | undefined> {
  return parameter(
    name,
    { description, schema },
    (text) => values.find((value) => value === text) ?? null,
    `must be one of ${values.join(', ')}`,
  );
}

/** One value of a fixed set, which must be given; an absent or faulty one is read as `standIn`. */
export function required<Value extends string>(
  name: string,
  values: readonly Value[],
  description: string,
  standIn: Value,
): QueryPart<Value> {
  const one = oneOf(name, values, description);
  return {
    parameters: one.parameters.map((each) => ({ ...each, required: true })),
    read(text, context) {
      if (!text.has(name)) {
        const message = `${name} is required: one of ${values.join(', ')}.`;
        text.refuse({ code: 'missing_field', message, field: name });
      }
      return one.read(text, context) ?? standIn;
    },
  };
}

/** Values of a fixed set, joined with commas, each once. */
export function someOf<Value extends string>(
  name: string,
  values: readonly Value[],
  description: string,
): QueryPart<ReadonlySet<Value>> {
  const schema = Type.Array(Type.Enum([...values]), { minItems: 1, uniqueItems: true });
  return {
    parameters: [{ name, in: 'query', description, schema, explode: false }],
    read(query) {
      const given = query.takeAll(name);
      const set = given === undefined ? new Set<Value>() : setOf(given, values);
      if (set !== null) return set;
      const rule = `must be one or more of ${values.join(', ')}, each once, joined with commas or repeated`;
      query.refuse({ code: 'invalid_value', message: `${name} ${rule}.`, field: name });
      return new Set();
    },
  };
}

function setOf<Value extends string>(text: string, values: readonly Value[]): ReadonlySet<Value> | null {
  const given = text.split(',');
  const known = values.filter((value) => given.includes(value));
  return known.length === given.length ? new Set(known) : null;
}

/** One that other routes have and this one refuses; `reason` tells why. */
export function never(name: string, reason: string): QueryPart<void> {
  return {
    parameters: [],
    read: (text) => (text.has(name) ? text.refuseUnknown(name, reason) : undefined),
  };
}

/** A text of 1 to `most` characters. */
export function text(name: string, description: string, most: number = MAX_CHARACTERS): QueryPart<string | undefined> {
  return {
    parameters: [{ name, in: 'query', description, schema: Id }],
    read(query) {
      const given = query.take(name);
      const length = given === undefined ? 1 : charactersIn(given);
      if (length >= 1 && length <= most) return given;
      const message = `${name} must have 1 to ${most} characters; it has ${length}.`;
      query.refuse({ code: 'invalid_value', message, field: name });
      return undefined;
    },
  };
}

/** An export is whole, so it has neither a limit nor a cursor. */
const NO_PAGES = 'goes with JSON alone, since this type holds the whole result; remove it';

/** How many rows a page has. */
export function limit(rows: string, page: { default: number; max: number } = PAGE): QueryPart<number> {
  const schema = Type.Integer({ minimum: 1, maximum: page.max, default: page.default });
  const read = (text: QueryText): number | undefined =>
    parsed(text, 'limit', (digits) => wholeNumber(digits, 1, page.max), `must be a whole number from 1 to ${page.max}`);
  return {
    parameters: [{ name: 'limit', in: 'query', description: `${rows} of a page at most.`, schema }],
    read(text, { isExport }) {
      if (!isExport) return read(text) ?? page.default;
      parsed(text, 'limit', () => null, NO_PAGES);
      return EXPORT_PAGE;
    },
  };
}

function wholeNumber(text: string, min: number, max: number): number | null {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  return number >= min && number <= max ? number : null;
}

/** Where a page of a list begins; `parse` gives null for what is no cursor of this list. */
export function cursor<Cursor>(
  parse: (text: string) => Cursor | null,
  { name, description, schema }: Pick<Parameter, 'name' | 'description' | 'schema'> = CURSOR,
): QueryPart<Cursor | undefined> {
  return {
    parameters: [{ name, in: 'query', description, schema }],
    read: (text, { isExport }) =>
      isExport
        ? parsed<Cursor>(text, name, () => null, NO_PAGES)
        : parsed(text, name, parse, 'must be the next of an earlier answer'),
  };
}

const CURSOR = {
  name: 'cursor',
  description: 'The `next` of the page before. The other parameters must be as they were.',
  schema: Type.String(),
};
