import { trimBlanks } from '../domain/blanks.js';
import { text } from './parameters.js';
import type { QueryPart } from './query.js';

/** A text to filter by that is compared without blanks at either end. */
export function trimmedFilter(name: string, description: string): QueryPart<string | undefined> {
  const filter = text(name, description);
  const take = (given: string | undefined): string | undefined => (given === undefined ? undefined : trimBlanks(given));
  return {
    ...filter,
    read: (query, context) => filter.read({ ...query, take: (asked) => take(query.take(asked)) }, context),
  };
}
