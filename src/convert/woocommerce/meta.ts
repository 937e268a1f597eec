import { fieldsOf, isFields, type Fields } from '../../domain/fields.js';
import { isOpen } from '../amounts.js';
import { fieldsIn, word } from '../values.js';

/** Keys in which plugins keep whether a payment was a test, and values that say so. */
const MODES = /^_\w*(mode|environment)$/;
const TEST_MODES = ['test', 'sandbox'];

/** The first entry of a key that has a value, or one that can be read: a key may be there more than once. */
export function metaOf(holder: Fields, key: string, read: (value: unknown) => unknown = (value) => value): unknown {
  const entries = fieldsIn(holder.meta_data).filter((one) => one.key === key);
  return entries.find(({ value }) => !isOpen(value) && !isOpen(read(value)))?.value;
}

/** A value that plugins keep as an object or as its JSON. */
export function objectIn(value: unknown): Fields {
  if (isFields(value)) return value;
  try {
    return typeof value === 'string' ? fieldsOf(JSON.parse(value) as unknown) : {};
  } catch {
    return {};
  }
}

/** Whether a payment plugin says that it ran in test mode. */
export function isTestPayment(order: Fields): boolean {
  return fieldsIn(order.meta_data).some(
    ({ key, value }) => typeof key === 'string' && MODES.test(key) && TEST_MODES.includes(word(value) ?? ''),
  );
}
