import { fieldsOf, isFields, type Fields } from '../domain/fields.js';

/** Where exports put an order: `{ order }`, `{ data: { order } }`, `{ node }`, a record of Airbyte or Singer, a row of a raw table. */
const WRAPPINGS = ['_airbyte_data', 'record', 'data', 'order', 'node'];
const DEEPEST = 5;
/** Messages of Airbyte and Singer that are no records. */
const OTHER_MESSAGES =
  /^(SCHEMA|STATE|ACTIVATE_VERSION|BATCH|LOG|TRACE|SPEC|CONNECTION_STATUS|CATALOG|CONTROL|DESTINATION_CATALOG)$/;

/** The order in what an export wraps it in. */
export function unwrapped(value: unknown): Fields {
  let order = fieldsOf(value);
  for (let depth = 0; depth < DEEPEST && !isOrder(order); depth++) {
    const inner = WRAPPINGS.map((name) => fieldsIn(order[name], name)).find(isFields);
    if (inner === undefined) break;
    order = inner;
  }
  return order;
}

/** A message of a stream of Airbyte or Singer in which no order is: a schema, a state, or a record of another stream. */
export function isOtherMessage(value: unknown): boolean {
  const message = fieldsOf(value);
  if (isOrder(message)) return false;
  const { type, record, stream } = message;
  if (typeof type === 'string' && OTHER_MESSAGES.test(type)) return true;
  const name = stream ?? fieldsOf(record).stream;
  return typeof name === 'string' && !/orders?$/i.test(name);
}

function isOrder(value: Fields): boolean {
  return 'line_items' in value || 'lineItems' in value;
}

/** A raw table may hold its data as text. */
function fieldsIn(value: unknown, name: string): unknown {
  if (name !== '_airbyte_data' || typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}
