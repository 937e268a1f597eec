import Type from 'typebox';
import { Day, PAGE, Receipt, Timestamp } from '../../schemas/primitives.js';
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

/** Of reads whose past can be asked. */
export const AS_OF: Parameter = {
  name: 'as_of',
  in: 'query',
  description:
    'A moment: the answer is what the service answered then, with the orders, costs, fee rules and expenses that were in its ' +
    'figures then. Zero before the first push. The same moment always has the same answer; of one less than 250 ms ago the ' +
    'service waits until that time is over. A change counts from the moment at which it was computed, some milliseconds ' +
    'before a read could meet it. A moment to come, or longer ago than the past is kept (400 days, unless the operator has ' +
    'set another time), is `invalid_range`. Absent: the newest figures.',
  schema: Timestamp,
};

/** Of every read of figures. */
export const AFTER: Parameter = {
  name: 'after',
  in: 'query',
  description:
    'The `receipt` of a push: the answer contains it. The service waits up to 5 s for that, then answers 503 `not_fresh_yet`. Absent: it waits for nothing.',
  schema: Receipt,
};

/** How many rows a page has. */
export function limitParameter(rows: string, page: { default: number; max: number } = PAGE): Parameter {
  const schema = Type.Integer({ minimum: 1, maximum: page.max, default: page.default });
  return { name: 'limit', in: 'query', description: `${rows} of a page at most.`, schema };
}

/** Of every list but that of product costs. */
export const CURSOR: Parameter = {
  name: 'cursor',
  in: 'query',
  description: 'The `next` of the page before. The other parameters must be as they were.',
  schema: Type.String(),
};
