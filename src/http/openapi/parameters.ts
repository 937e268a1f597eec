import Type from 'typebox';
import { Day } from '../../schemas/primitives.js';
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
  return { name, in: 'query', description, schema: Type.Enum(['1', 'true', '0', 'false']) };
}
