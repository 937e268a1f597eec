import fc, { type Arbitrary } from 'fast-check';
import { TEXT_PATTERN } from '../../src/schemas/primitives.js';
import { DOCUMENT } from './document.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- schemas are plain JSON here */

const FORMATS: Record<string, Arbitrary<string>> = {
  'date-time': fc
    .tuple(fc.date({ min: new Date('2000-01-02'), max: new Date('2026-01-01'), noInvalidDate: true }), fc.constantFrom('Z', '+05:30'))
    .map(([date, zone]) => date.toISOString().replace('Z', zone)),
  date: fc
    .date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
}; // prettier-ignore

const KNOWN_PATTERNS: [RegExp, Arbitrary<string>][] = [
  [/\[0-9\]\{1,15\}/, fc.tuple(fc.nat(10 ** 9), fc.nat(999_999)).map(([int, micros]) => `${int}.${micros}`)],
  [/^\^\[A-Z\]\{3\}/, fc.constantFrom('EUR', 'EUR', 'USD', 'JPY')],
  [/^\^\[A-Za-z\]\{2\}/, fc.constantFrom('DE', 'at', 'XK')],
];

function stringOf({ format, pattern, minLength = 0, maxLength = 40 }: any): Arbitrary<string> {
  const byFormat = FORMATS[String(format)];
  if (byFormat !== undefined) return byFormat;
  if (pattern === undefined || pattern === TEXT_PATTERN)
    return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) });
  const known = KNOWN_PATTERNS.find(([shape]) => shape.test(pattern));
  if (known !== undefined) return known[1];
  const unit = fc.constantFrom('a', 'b', 'X', 'Y', '0', '9', '-', '_', '.', ':', 'ä', 'ß', '漢', '😀');
  const text = fc.string({ unit, minLength: Math.max(minLength, 1), maxLength: Math.min(maxLength, 20) });
  return text.filter((value) => new RegExp(pattern, 'u').test(value));
}

/** Values that a schema of the document admits; `full`: with every field that may stand, and no list without an entry. */
export function arbitraryOf(schema: any, full = false): Arbitrary<unknown> {
  const inner = (one: any): Arbitrary<unknown> => arbitraryOf(one, full);
  if (schema.$ref !== undefined) return inner(DOCUMENT.components.schemas[schema.$ref.split('/').at(-1)]);
  if (schema.enum !== undefined) return fc.constantFrom(...(schema.enum as unknown[]));
  if (schema.const !== undefined) return fc.constant(schema.const);
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice !== undefined) return fc.oneof(...choice.map((one: any) => inner(joined(schema, one))));
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type: string) => inner({ ...schema, type })));
  }
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 2 ** 31 });
    case 'number':
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1e9, noNaN: true });
    case 'string':
      return stringOf(schema);
    case 'array':
      return fc.array(inner(schema.items ?? {}), {
        minLength: Math.max(schema.minItems ?? 0, full ? 1 : 0),
        maxLength: Math.min(schema.maxItems ?? 3, Math.max(schema.minItems ?? 0, 3)),
      });
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, inner(field)]);
      const model = Object.fromEntries(fields) as Record<string, Arbitrary<unknown>>;
      return fc.record(model, { ...(!full && { requiredKeys: schema.required ?? [] }), noNullPrototype: true });
    }
    default:
      return fc.jsonValue();
  }
}

/** A schema with one of its alternatives taken. */
function joined({ anyOf: _any, oneOf: _one, ...schema }: any, alternative: any): any {
  return {
    ...schema,
    ...alternative,
    ...(schema.properties !== undefined && {
      properties: { ...schema.properties, ...alternative.properties },
      required: [...(schema.required ?? []), ...(alternative.required ?? [])],
    }),
  };
}

const ODD: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null, true, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, '', ' ', '-1', '1e5', '0x10', 'NaN', '\u0000', '\ud800', '+491701234567',
    'a@b.de', '2026-02-30T00:00:00Z', '9'.repeat(400), [], {}, [[]], [null], { $ref: '#' }, { constructor: 1 }, "'; DROP TABLE orders; --",
  ),
  fc.jsonValue(),
  fc.string({ unit: 'binary', maxLength: 300 }),
); // prettier-ignore
const ODD_NAMES = fc.oneof(
  fc.constantFrom('colour', 'toString', 'constructor', 'hasOwnProperty', '', ' ', '0', 'a.b', 'a/b', '$where', 'order_id\u0000'),
  fc.string({ unit: 'binary', maxLength: 30 }).filter((name) => name !== '__proto__'),
); // prettier-ignore

/** The value once for each of its strings, with half of a surrogate pair there, and once for each object, with a field more of such a name. */
export function withHalfPairs(value: unknown): unknown[] {
  const half = '\ud83d';
  if (typeof value === 'string') return [half];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => withHalfPairs(item).map((odd) => value.with(i, odd) as unknown[]));
  }
  const changed = Object.entries(value).flatMap(([name, field]) =>
    withHalfPairs(field).map((odd) => ({ ...value, [name]: odd })),
  );
  return [...changed, { ...value, [half]: 1 }, { ...value, [`${'x'.repeat(99)}😀`]: 1 }];
}

/** A value with one fault: a part replaced, removed, added or repeated at some depth. */
export function brokenFrom(valid: Arbitrary<unknown>): Arbitrary<unknown> {
  const change = fc.constantFrom('replace', 'remove', 'add', 'repeat');
  return fc
    .tuple(valid, fc.array(fc.nat(1_000), { minLength: 1, maxLength: 6 }), change, ODD, ODD_NAMES)
    .map(([value, path, how, odd, name]) => broken(value, path, how, odd, name));
}

function broken(value: unknown, [step, ...rest]: number[], how: string, odd: unknown, name: string): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return odd;
  const entries = Object.entries(value);
  const index = entries.length === 0 ? -1 : step % entries.length;
  const chosen = entries[index];
  const last = rest.length === 0 || chosen === undefined || typeof chosen[1] !== 'object' || chosen[1] === null;
  if (Array.isArray(value)) {
    const items: unknown[] = [...(value as unknown[])];
    if (!last) items[index] = broken(chosen[1], rest, how, odd, name);
    else if (how === 'remove') items.splice(Math.max(index, 0), 1);
    else if (how === 'repeat') items.push(...items);
    else if (how === 'add' || index < 0) items.push(odd);
    else items[index] = odd;
    return items;
  }
  const object: Record<string, unknown> = { ...value };
  if (chosen === undefined || (last && how === 'add')) object[name] = odd;
  else if (!last) object[chosen[0]] = broken(chosen[1], rest, how, odd, name);
  else if (how === 'remove') return Object.fromEntries(entries.filter((_, i) => i !== index));
  else object[chosen[0]] = odd;
  return object;
}
