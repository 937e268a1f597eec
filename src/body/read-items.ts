import { openItems, type ItemForm, type Items } from './items.js';
import { knownNames } from './json-scan.js';
import type { Yielder } from './yielding.js';
import type { Validator } from '../schemas/validator.js';
import { requireValid } from '../schemas/require-valid.js';

/** How the body of a batch is read. */
export interface BatchForm<T> extends ItemForm {
  envelope: Validator<T>;
  /** Most bytes of a body, inflated. */
  bytes: number;
}

export function batchForm<T>(
  list: string,
  { most, bytes, envelope, item }: Omit<BatchForm<T>, 'list' | 'isKnown'> & { item: Validator<unknown> },
): BatchForm<T> {
  return { list, most, bytes, envelope, isKnown: knownNames([...envelope.names, ...item.names]) };
}

/** The checked envelope of a batch and its items, which are parsed one by one. Throws all that is wrong with the envelope. */
export async function readItems<T>(
  bytes: Buffer,
  form: BatchForm<T>,
  yielder: Yielder,
): Promise<{ envelope: T; items: Items }> {
  const { value, items } = await openItems(bytes, form, yielder);
  return { envelope: requireValid(form.envelope, value), items };
}
