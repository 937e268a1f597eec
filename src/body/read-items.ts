import type { Batch } from '../schemas/batch.js';
import { requireValid } from '../schemas/require-valid.js';
import { openItems, type ItemForm, type Items } from './items.js';
import { knownNames } from './json-scan.js';
import type { Yielder } from './yielding.js';

/** How the body of a batch is read. */
export type BatchForm<Envelope> = ItemForm & Pick<Batch<unknown, Envelope>, 'envelope'>;

export function batchForm<Envelope>({ list, most, envelope, item }: Batch<unknown, Envelope>): BatchForm<Envelope> {
  return { list, most, envelope, isKnown: knownNames([...envelope.names, ...item.names]) };
}

/** The checked envelope of a batch and its items, which are parsed one by one. Throws all that is wrong with the envelope. */
export async function readItems<Envelope>(
  bytes: Buffer,
  form: BatchForm<Envelope>,
  yielder: Yielder,
): Promise<{ envelope: Envelope; items: Items }> {
  const { value, items } = await openItems(bytes, form, yielder);
  return { envelope: requireValid(form.envelope, value), items };
}
