import { openItems, type ItemForm, type Items } from '../../ingest/items.js';
import { knownNames } from '../../ingest/json-scan.js';
import type { Turn } from '../../ingest/turns.js';
import type { Validator } from '../../schemas/validator.js';
import { requireValid } from './validate.js';

/** How the body of a batch is read. */
export interface BatchForm<T> extends ItemForm {
  envelope: Validator<T>;
}

export function batchForm<T>(
  list: string,
  most: number,
  { envelope, item }: { envelope: Validator<T>; item: Validator<unknown> },
): BatchForm<T> {
  return { list, most, envelope, isKnown: knownNames([...envelope.names, ...item.names]) };
}

/** The checked envelope of a batch and its items, which are parsed one by one. Throws all that is wrong with the envelope. */
export async function readItems<T>(
  bytes: Buffer,
  form: BatchForm<T>,
  turn: Turn,
): Promise<{ envelope: T; items: Items }> {
  const { value, items } = await openItems(bytes, form, turn);
  return { envelope: requireValid(form.envelope, value), items };
}
