import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../error-catalogue.js';

interface SchemaNode {
  format?: string;
  'x-code'?: ErrorCode;
  'x-size-code'?: ErrorCode;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
}

const OF_ANY: readonly ErrorCode[] = ['too_many', 'missing_field', 'unknown_field', 'invalid_type', 'invalid_value'];
const BY_FORMAT: Readonly<Record<string, readonly ErrorCode[]>> = {
  'date-time': ['invalid_timestamp'],
  money: ['money_must_be_string', 'invalid_money'],
  quantity: ['invalid_quantity'],
};
const BY_SCHEMA = [...OF_ANY, ...Object.values(BY_FORMAT).flat()];

/** The codes of rejected items: what their schema brings, and those of further rules. */
export function itemErrorsOf(schema: TSchema, rules: readonly ErrorCode[] = []): ErrorCode[] {
  const named = new Set<ErrorCode>();
  const found = new Set<ErrorCode>([...OF_ANY, ...rules]);
  const visit = (node: SchemaNode): void => {
    const { format = '', properties = {}, items } = node;
    for (const code of BY_FORMAT[format] ?? []) found.add(code);
    for (const code of [node['x-code'], node['x-size-code']]) if (code !== undefined) named.add(code);
    Object.values(properties).forEach(visit);
    if (items !== undefined) visit(items);
  };
  visit(schema);
  return [
    ...BY_SCHEMA.filter((code) => found.has(code)),
    ...rules.filter((code) => !BY_SCHEMA.includes(code)),
    ...named,
  ];
}
