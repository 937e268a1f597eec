import { isCurrency } from '../domain/currency.js';
import { fieldsOf, type Fields } from '../domain/fields.js';
import { isOpen } from './amounts.js';

/** Readers of what a platform sends, which may be of any type: what is none of the expected is left out. */

const LONGEST_ID = 255;
const LONGEST_TITLE = 1000;
const LONGEST_CUSTOMER_ID = 128;

/** The entries of a list, or of a GraphQL connection. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const { nodes, edges } = fieldsOf(value);
  if (Array.isArray(nodes)) return nodes;
  return Array.isArray(edges) ? edges.map((edge) => fieldsOf(edge).node) : [];
}

export function fieldsIn(value: unknown): Fields[] {
  return listOf(value).map(fieldsOf);
}

/** A text without halves of surrogate pairs and blanks at its ends; undefined where nothing is left. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && !Number.isFinite(value)) return undefined;
  const text = String(value)
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim();
  return text === '' ? undefined : text;
}

export function title(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && text.length > LONGEST_TITLE ? Array.from(text).slice(0, LONGEST_TITLE).join('') : text;
}

/** An id or SKU; one that the wire would refuse is left out. */
export function label(value: unknown): string | undefined {
  const text = textOf(value)?.replace(/\p{Cc}/gu, '');
  return text === undefined || text === '' || Array.from(text).length > LONGEST_ID ? undefined : text;
}

/** The id of an object: of `gid://shopify/Order/1` the number. Zero is none, and so is a number that has lost digits. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
  const text = typeof value === 'string' ? label(/^gid:\/\/[^?]*\/([^/?]+)/.exec(value)?.[1] ?? value) : undefined;
  return text === '0' ? undefined : text;
}

/** The id of a customer where it is an opaque one, never a name or address. */
export function customerId(value: unknown): string | undefined {
  const id = idOf(value);
  return id !== undefined && /^[A-Za-z0-9_:]+$/.test(id) && id.length <= LONGEST_CUSTOMER_ID ? id : undefined;
}

/** A payment gateway: lower case, each run of blanks, `_` and `-` is one `_`. */
export function gatewayOf(value: unknown): string | undefined {
  return label(value)
    ?.toLowerCase()
    .replace(/[\s_-]+/g, '_');
}

/** A word of the platform, such as a status. */
export function word(value: unknown): string | undefined {
  return textOf(value)?.toLowerCase();
}

/** The code of a currency; undefined where it is none. */
export function currencyCode(value: unknown): string | undefined {
  const code = label(value)?.toUpperCase();
  return code !== undefined && isCurrency(code) ? code : undefined;
}

export function isSet(value: unknown): boolean {
  return !isOpen(value) && value !== false;
}
