import { Ajv, type ErrorObject } from 'ajv';
import type { Static, TSchema } from 'typebox';
import type { ErrorCode, ErrorDetail } from '../errors.js';
import { DECIMAL_PATTERN } from '../domain/money.js';
import { isTimeZone, parseDay, parseTimestamp } from '../domain/time.js';

const currencies = new Set(Intl.supportedValuesOf('currency'));

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: true,
  allowUnionTypes: true,
  formats: {
    money: DECIMAL_PATTERN,
    quantity: DECIMAL_PATTERN,
    timestamp: (text: string) => parseTimestamp(text) !== null,
    day: (text: string) => parseDay(text) !== null,
    currency: (text: string) => currencies.has(text),
    timezone: isTimeZone,
  },
});

// Which code a wrong number of entries gives; an annotation for toDetail.
ajv.addKeyword({ keyword: 'x-size-code', metaSchema: { type: 'string' } });
// Which code a field that is missing or has none of its values gives; an annotation for toDetail.
ajv.addKeyword({ keyword: 'x-code', metaSchema: { type: 'string' } });

/** All faults of a value, each with its code and path; empty when it is valid. The value is never changed. */
export type Check = (value: unknown) => ErrorDetail[];

export interface Validator<T> {
  check: Check;
  /** Narrows the type of a value that {@link check} found without fault. */
  is: (value: unknown) => value is T;
}

/** Compiles a wire schema. `root` names the value itself in the messages. */
export function validator<S extends TSchema>(schema: S, root = 'The value'): Validator<Static<S>> {
  const validate = ajv.compile<Static<S>>(schema);
  return {
    check(value) {
      if (validate(value)) return [];
      return (validate.errors ?? []).map((error) => toDetail(error, root));
    },
    is: (value): value is Static<S> => validate(value),
  };
}

const FORMATS: Record<string, [ErrorCode, string]> = {
  money: [
    'invalid_money',
    'must be a plain non-negative decimal such as "12.50" with at most 15 integer and 6 fraction digits',
  ],
  quantity: [
    'invalid_quantity',
    'must be a plain non-negative decimal such as "2" or "0.5" with at most 15 integer and 6 fraction digits',
  ],
  timestamp: [
    'invalid_timestamp',
    'must be a real RFC 3339 timestamp with an explicit offset such as "2026-03-01T09:30:00+01:00"',
  ],
  day: ['invalid_value', 'must be a real calendar day written YYYY-MM-DD'],
  timezone: ['invalid_value', 'must be an IANA time zone such as "Europe/London"'],
  currency: ['invalid_value', 'must be an ISO 4217 code of three upper-case letters such as "EUR"'],
};

/** JSON pointer `/line_items/0/sku` → `line_items[0].sku`. */
export function fieldPath(pointer: string, property?: string): string {
  const parts = pointer.split('/').slice(1);
  if (property !== undefined) parts.push(property);
  return parts
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => {
      if (/^\d+$/.test(part)) return `${path}[${part}]`;
      return path === '' ? part : `${path}.${part}`;
    }, '');
}

function toDetail(error: ErrorObject, root: string): ErrorDetail {
  const params = error.params as Record<string, unknown>;
  const path = fieldPath(error.instancePath);
  const name = path === '' ? root : path;
  const at = (code: ErrorCode, message: string, field = path): ErrorDetail =>
    field === '' ? { code, message } : { code, message, field };
  const count = String(params.limit);

  switch (error.keyword) {
    case 'required': {
      const field = fieldPath(error.instancePath, String(params.missingProperty));
      const { properties } = error.parentSchema as { properties?: Record<string, { 'x-code'?: ErrorCode }> };
      const code = properties?.[String(params.missingProperty)]?.['x-code'] ?? 'missing_field';
      return at(code, `${field} is required.`, field);
    }
    case 'additionalProperties': {
      const field = fieldPath(error.instancePath, String(params.additionalProperty));
      return at('unknown_field', `${field} is not a field of this request; remove it.`, field);
    }
    case 'type': {
      const schema = error.parentSchema as { format?: string } | undefined;
      if (schema?.format === 'money' && typeof error.data === 'number') {
        return at('money_must_be_string', `${name} must be a JSON string such as "12.50", not a number.`);
      }
      const wanted = Array.isArray(params.type) ? params.type.join(' or ') : String(params.type);
      return at('invalid_type', `${name} must be of type ${wanted}.`);
    }
    case 'format': {
      const [code, rule] = FORMATS[String(params.format)] ?? ['invalid_value', 'has a wrong form'];
      return at(code, `${name} ${rule}.`);
    }
    case 'enum': {
      const { 'x-code': code = 'invalid_value' } = error.parentSchema as { 'x-code'?: ErrorCode };
      return at(code, `${name} must be one of ${(params.allowedValues as unknown[]).join(', ')}.`);
    }
    case 'minLength':
      return at('invalid_value', `${name} must have at least ${count} character${count === '1' ? '' : 's'}.`);
    case 'maxLength':
      return at('invalid_value', `${name} must have at most ${count} characters.`);
    case 'pattern':
      return at('invalid_value', `${name} holds characters that are not allowed there.`);
    case 'minItems':
    case 'maxItems': {
      const schema = error.parentSchema as { minItems?: number; maxItems?: number; 'x-size-code'?: ErrorCode };
      const code = schema['x-size-code'] ?? 'invalid_value';
      return at(code, `${name} must hold ${String(schema.minItems ?? 0)} to ${String(schema.maxItems)} entries.`);
    }
    case 'minimum':
    case 'maximum':
      return at('invalid_value', `${name} must be ${String(params.comparison)} ${count}.`);
    default:
      return at('invalid_value', `${name} ${error.message ?? 'is not valid'}.`);
  }
}
