import { hash } from 'node:crypto';
import { compare } from '../domain/compare.js';
import { MAX_RANGE_DAYS, type DayRange } from '../domain/metrics/range.js';
import { requestError, type RequestError } from '../errors.js';
import type { Validator } from '../schemas/validator.js';

/** The place in a list at which its next page begins. It holds for one query of one shop alone. */
export interface Cursor<Place> {
  query: string;
  place: Place;
}

const OF_A_PAGE = new Set(['cursor', 'limit', 'after']);

/** Characters of any cursor that was given out, with room to spare: an id has 255 characters of at most four bytes. */
const MAX_CHARACTERS = 8_192;

/**
 * Identifies the query of a list: the shop and its parameters, except those that differ from page to page. Throws `invalid_value`
 * for the cursor of another query.
 */
export function queryId(
  shopId: string,
  parameters: Readonly<Record<string, unknown>>,
  cursor: Cursor<unknown> | undefined,
): string {
  const given = Object.entries(parameters)
    .filter(([name]) => !OF_A_PAGE.has(name))
    .sort(([a], [b]) => compare(a, b));
  const id = hash('sha256', JSON.stringify([shopId, given]), 'base64url').slice(0, 12);
  if (cursor !== undefined && cursor.query !== id) throw ofAnotherQuery();
  return id;
}

export function ofAnotherQuery(): RequestError {
  return requestError('invalid_value', 'cursor belongs to another query; send the parameters of that one.', 'cursor');
}

/** The range of all pages: without `to` that of the first one ends today, which may be another day by now. */
export function rangeOf(asked: DayRange, cursor: Cursor<DayRange> | undefined): DayRange {
  const { from, to } = cursor?.place ?? asked;
  return { from, to };
}

/** The cursor of the next page, opaque to clients, as an answer holds it; undefined: nothing follows. */
export function nextOf(query: string, place: object | undefined): { next?: string } {
  if (place === undefined) return {};
  return { next: packed([query, place]) };
}

/** A list as a text that is opaque to clients. */
export function packed(list: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(list)).toString('base64url');
}

/** The list of such a text; an empty one of any other. */
export function unpacked(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/** Null for what {@link nextOf} did not make. */
export function readCursor<Place>(text: string, place: Validator<Place>): Cursor<Place> | null {
  if (text.length > MAX_CHARACTERS) return null;
  const [query, found] = unpacked(text);
  return typeof query === 'string' && place.is(found) ? { query, place: found } : null;
}

/** The same where the place names a range, which is bound like any other. */
export function readRangeCursor<Place extends DayRange & { day?: number }>(
  text: string,
  validator: Validator<Place>,
): Cursor<Place> | null {
  const cursor = readCursor(text, validator);
  if (cursor === null) return null;
  const { from, to, day = from } = cursor.place;
  return from <= day && day <= to && to - from < MAX_RANGE_DAYS ? cursor : null;
}
