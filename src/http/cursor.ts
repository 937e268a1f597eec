import { hash } from 'node:crypto';
import { requestError } from '../errors.js';
import type { Validator } from '../schemas/validator.js';

/** The place in a list at which its next page begins. It holds for one query of one shop alone. */
export interface Cursor<Place> {
  query: string;
  place: Place;
}

const OF_A_PAGE = new Set(['cursor', 'limit', 'after']);

/** Characters of any cursor that was given out, with room to spare: an id has 255 characters of at most four bytes. */
const MOST_CHARACTERS = 8_192;

/** Identifies a query: the shop and its parameters, except those that differ from page to page. */
export function queryId(shopId: string, parameters: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(parameters)
    .filter(([name]) => !OF_A_PAGE.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([shopId, given]), 'base64url').slice(0, 12);
}

/** Opaque to clients. */
export function writeCursor<Place>({ query, place }: Cursor<Place>): string {
  return Buffer.from(JSON.stringify([query, place])).toString('base64url');
}

/** Null for what {@link writeCursor} did not make. */
export function readCursor<Place>(text: string, place: Validator<Place>): Cursor<Place> | null {
  if (text.length > MOST_CHARACTERS) return null;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
  const [query, found] = Array.isArray(parts) ? (parts as unknown[]) : [];
  return typeof query === 'string' && place.is(found) ? { query, place: found } : null;
}

/** Throws `invalid_value` for the cursor of another query. */
export function requireCursorOf(query: string, cursor: { query: string } | undefined): void {
  if (cursor === undefined || cursor.query === query) return;
  throw requestError('invalid_value', 'cursor belongs to another query; send the parameters of that one.', 'cursor');
}
