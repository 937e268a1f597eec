import Type from 'typebox';
import { Day, Receipt } from '../../schemas/primitives.js';
import type { Parameter } from './operation.js';

/** The range of a request for figures (specification: "GET /v1/metrics rules"). */
export const RANGE: readonly Parameter[] = [
  {
    name: 'from',
    in: 'query',
    description: 'First day, inclusive; 29 days before `to` when absent.',
    schema: Day,
  },
  { name: 'to', in: 'query', description: 'Last day, inclusive; today (UTC) when absent.', schema: Day },
];

/** A query parameter that is on with `1` or `true`. */
export function switchParameter(name: string, description: string): Parameter {
  return { name, in: 'query', description, schema: Type.Enum(['1', 'true', '0', 'false'], { default: '0' }) };
}

/** Of every read of figures. */
export const AFTER: Parameter = {
  name: 'after',
  in: 'query',
  description:
    'The `receipt` of a push: the answer contains it. The service waits up to 5 s for that, then answers 503 `not_fresh_yet`. Absent: it waits for nothing.',
  schema: Receipt,
};
