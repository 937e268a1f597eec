import { Ajv, type ErrorObject, type Options } from 'ajv';
import ajvFormats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from '../error-catalogue.js';
import { charactersIn, echo, type ErrorDetail } from '../errors.js';
import { FORMAT_FAULTS, FORMATS } from './formats.js';
import { ID_PATTERN, isPrintable, TEXT_PATTERN } from './primitives.js';
import { unknownFieldMessage } from './usual-names.js';

const BY_HAND = new Map([
  [ID_PATTERN, isPrintable],
  [TEXT_PATTERN, (text: string) => text.isWellFormed()],
]);

/** The patterns of ids and texts by hand, because an order has dozens of them; every other pattern is the runtime's. */
function engine(pattern: string, flags: string): { test(text: string): boolean; toString(): string } {
  const test = BY_HAND.get(pattern);
  // AJV tells patterns apart by their text.
  return test === undefined ? new RegExp(pattern, flags) : { test, toString: () => pattern };
}

/** Adds the formats of the package that are strict enough. */
function withFormats(ajv: Ajv): Ajv {
  ajvFormats.default(ajv, ['uri']);
  return ajv;
}

const OPTIONS: Options = {
  verbose: true,
  strict: true,
  allowUnionTypes: true,
  formats: FORMATS,
  // Not made shorter: that takes two fifths of the compilation, 0.15 s of an API's start, and the checks are no quicker for it.
  code: { optimize: false, regExp: Object.assign(engine, { code: 'engine' }) },
  // For toDetail: which code a wrong number of entries gives, and which a field that is missing or has none of its values.
  // For the OpenAPI document: what it says in place of a format.
  keywords: [
    ...['x-size-code', 'x-code'].map((keyword) => ({ keyword, metaSchema: { type: 'string' } })),
    { keyword: 'x-shown', metaSchema: { type: 'object' } },
  ],
};
const finder = withFormats(new Ajv(OPTIONS));
// The finder has checked the schemas themselves.
const collector = withFormats(new Ajv({ ...OPTIONS, allErrors: true, meta: false, validateSchema: false }));

/**
 * Faults that are reported of one value at most. Together with the bound on what is searched for all faults it keeps a body of
 * nothing but faults from growing into an answer many times its size.
 */
const MAX_FAULTS = 1_000;
/** A value with more parts than this gets its first fault alone; one with thousands of faults is searched for long. */
const MAX_PARTS = 10_000;

/** All faults of a value, at most `limit`, each with its code and path; empty when it is valid. The value is never changed. */
export type Check = (value: unknown, limit?: number) => ErrorDetail[];

export interface Validator<T> {
  check: Check;
  /** Narrows the type of a value that {@link check} found without fault. */
  is: (value: unknown) => value is T;
  schema: TSchema;
  /** The names that its fields may have, on every level. */
  names: ReadonlySet<string>;
}

/** Compiles a wire schema. `root` names the value itself in the messages. */
export function validator<S extends TSchema>(schema: S, root = 'The value'): Validator<Static<S>> {
  const find = finder.compile<Static<S>>(schema);
  const collect = collector.compile<Static<S>>(schema);
  return {
    schema,
    check(value, limit = MAX_FAULTS) {
      if (find(value)) return [];
      let errors = find.errors ?? [];
      if (limit > 1 && partsLeft(value, schema, MAX_PARTS) > 0) {
        collect(value);
        errors = collect.errors ?? errors;
      }
      // Each error holds the value that it is about, and the functions hold their last errors.
      find.errors = collect.errors = null;
      return errors.slice(0, limit).map((error) => toDetail(error, root, schema));
    },
    is(value): value is Static<S> {
      const isValid = find(value);
      find.errors = null;
      return isValid;
    },
    names: namesOf(schema, new Set()),
  };
}

/** The same, of values that keep rules too, which get any value and say nothing of what the schema finds. */
export function withRules<T>(shape: Validator<T>, rules: (value: unknown) => ErrorDetail[]): Validator<T> {
  return {
    ...shape,
    check: (value, limit = MAX_FAULTS) => [...shape.check(value, limit), ...rules(value)].slice(0, limit),
    is: (value): value is T => shape.is(value) && rules(value).length === 0,
  };
}

function namesOf({ properties = {}, items }: SchemaNode, names: Set<string>): Set<string> {
  for (const [name, property] of Object.entries(properties)) {
    names.add(name);
    namesOf(property, names);
  }
  return items === undefined ? names : namesOf(items, names);
}

interface SchemaNode {
  required?: readonly string[];
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
}

/** Counts the values of a body that its schema checks, down from a limit: what is left of it, at most 0 once it is passed. */
function partsLeft(value: unknown, schema: SchemaNode, parts: number): number {
  let left = parts - 1;
  if (typeof value !== 'object' || value === null) return left;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined || Object.keys(items).length === 0) return left;
    for (const item of value) if ((left = partsLeft(item, items, left)) <= 0) break;
    return left;
  }
  for (const key of Object.keys(value)) {
    const property = Object.hasOwn(schema.properties ?? {}, key) ? schema.properties?.[key] : undefined;
    left = property === undefined ? left - 1 : partsLeft((value as Record<string, unknown>)[key], property, left);
    if (left <= 0) break;
  }
  return left;
}

/** JSON pointer `/line_items/0/sku` → `line_items[0].sku`, names that were sent cut as messages cut them; `property` is a further one. */
export function fieldPath(pointer: string, property?: string): string {
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((parent, part) => (/^\d+$/.test(part) ? `${parent}[${part}]` : member(parent, echo(part))), '');
  return property === undefined ? path : member(path, echo(property));
}

function member(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}

/** What a message says of a value that was sent. */
function sent(value: unknown): string {
  if (typeof value === 'string') return `"${echo(value)}"`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'number' ? `the number ${value}` : String(value);
}

/** For null and an empty text in a field that may be absent. */
function leaveOut({ data, instancePath }: ErrorObject, schema: SchemaNode): string {
  const isEmpty = (data === null || data === '') && isOptional(instancePath, schema);
  return isEmpty ? ' Leave the field out where its value is not known.' : '';
}

function isOptional(pointer: string, schema: SchemaNode): boolean {
  const parts = pointer.split('/').slice(1);
  const name = parts.pop();
  let parent: SchemaNode | undefined = schema;
  for (const part of parts) parent = parent?.items ?? parent?.properties?.[part];
  return name !== undefined && parent?.properties?.[name] !== undefined && !(parent.required ?? []).includes(name);
}

function toDetail(error: ErrorObject, root: string, schema: SchemaNode): ErrorDetail {
  const params = error.params as Record<string, unknown>;
  const path = fieldPath(error.instancePath);
  const name = path === '' ? root : path;
  const at = (code: ErrorCode, message: string, field = path): ErrorDetail =>
    field === '' ? { code, message } : { code, message, field };
  const count = String(params.limit);
  const hint = leaveOut(error, schema);
  const rest = `; it is ${sent(error.data)}.${hint}`;

  switch (error.keyword) {
    case 'required': {
      const field = fieldPath(error.instancePath, String(params.missingProperty));
      const { properties } = error.parentSchema as { properties?: Record<string, { 'x-code'?: ErrorCode }> };
      const code = properties?.[String(params.missingProperty)]?.['x-code'] ?? 'missing_field';
      return at(code, `${field} is required.`, field);
    }
    case 'additionalProperties': {
      const unknown = String(params.additionalProperty);
      const field = fieldPath(error.instancePath, unknown);
      return at('unknown_field', unknownFieldMessage(field, unknown, error.parentSchema), field);
    }
    case 'type': {
      const own = error.parentSchema as { format?: string } | undefined;
      if (own?.format === 'money' && typeof error.data === 'number') {
        return at(
          'money_must_be_string',
          `${name} must be a JSON string such as "12.50", not the number ${error.data}.`,
        );
      }
      const wanted = Array.isArray(params.type) ? params.type.join(' or ') : String(params.type);
      return at('invalid_type', `${name} must be of type ${wanted}${rest}`);
    }
    case 'format': {
      const [code, rule] = FORMAT_FAULTS[String(params.format)] ?? ['invalid_value', 'has a wrong form'];
      return at(code, `${name} ${typeof rule === 'string' ? rule : rule(String(error.data))}${rest}`);
    }
    case 'enum': {
      const { 'x-code': code = 'invalid_value' } = error.parentSchema as { 'x-code'?: ErrorCode };
      if (code === 'invalid_value' && typeof error.data !== 'string') {
        return at('invalid_type', `${name} must be of type string${rest}`);
      }
      return at(code, `${name} must be one of ${(params.allowedValues as unknown[]).join(', ')}${rest}`);
    }
    case 'minLength':
      return at('invalid_value', `${name} must have at least ${count} character${count === '1' ? '' : 's'}.${hint}`);
    case 'maxLength': {
      return at(
        'invalid_value',
        `${name} must have at most ${count} characters; it has ${charactersIn(String(error.data))}.`,
      );
    }
    case 'pattern':
      return at('invalid_value', `${name} holds characters that are not allowed there.`);
    case 'minItems':
    case 'maxItems': {
      const own = error.parentSchema as { minItems?: number; maxItems?: number; 'x-size-code'?: ErrorCode };
      const code = own['x-size-code'] ?? (error.keyword === 'maxItems' ? 'too_many' : 'invalid_value');
      return at(code, `${name} must hold ${String(own.minItems ?? 0)} to ${String(own.maxItems)} entries.`);
    }
    case 'minimum':
    case 'maximum':
      return at('invalid_value', `${name} must be ${String(params.comparison)} ${count}${rest}`);
    default:
      return at('invalid_value', `${name} ${error.message ?? 'is not valid'}.`);
  }
}
