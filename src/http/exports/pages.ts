import { PAGE } from '../../schemas/primitives.js';
import type { Query } from '../middleware/query.js';
import { EXPORT_PAGE } from './send-export.js';

/** A part of a list, and where it ended; `last` is absent where nothing follows. */
export interface Page<Row, Place> {
  rows: Row[];
  last: Place | undefined;
}

/** All pages of a list, one after the other. */
export async function* allPages<Row, Place>(
  read: (after: Place | undefined) => Promise<Page<Row, Place>>,
): AsyncGenerator<Row[]> {
  let after: Place | undefined;
  do {
    const { rows, last } = await read(after);
    yield rows;
    after = last;
  } while (after !== undefined);
}

export interface PageBounds<Cursor> {
  isExport: boolean;
  /** Null for what is no cursor of the list. */
  parse: (text: string) => Cursor | null;
}

/** `limit` and `cursor` of a list. An export has neither, because it is whole. */
export function pageOf<Cursor>(query: Query, { isExport, parse }: PageBounds<Cursor>) {
  if (isExport) {
    const rule = 'goes with JSON alone, since this type holds the whole result; remove it';
    for (const name of ['limit', 'cursor']) query.parsed(name, () => null, rule);
    return { limit: EXPORT_PAGE, cursor: undefined };
  }
  return {
    limit: query.integer('limit', { min: 1, max: PAGE.max, fallback: PAGE.default }),
    cursor: query.parsed('cursor', parse, 'must be the next of an earlier answer'),
  };
}
