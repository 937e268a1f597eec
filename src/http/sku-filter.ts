import { trimBlanks } from '../domain/blanks.js';
import { text } from './parameters.js';
import type { QueryPart } from './query.js';

/** The SKU to filter by, in the form by which SKUs are compared. */
export function skuFilter(description: string): QueryPart<string | undefined> {
  const sku = text('sku', description);
  const take = (given: string | undefined): string | undefined => (given === undefined ? undefined : trimBlanks(given));
  return { ...sku, read: (query, context) => sku.read({ ...query, take: (name) => take(query.take(name)) }, context) };
}
