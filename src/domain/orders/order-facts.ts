import type { ErrorDetail } from '../../errors.js';
import { trimBlanks } from '../blanks.js';
import { fieldsOf } from '../fields.js';
import { holdsMachine } from '../personal/numbers.js';
import { isContact, plainText, SHORTEST_CONTACT } from '../personal/contacts.js';

/** Facts of an order: what was sold where, never who bought. Entries of the lists, and characters of each text. */
export const FACTS = {
  salesChannel: { characters: 64 },
  discountCodes: { entries: 20, characters: 255 },
  tags: { entries: 50, characters: 255 },
} as const;

/** By which spellings of a fact are compared. */
const factKey = (text: string): string => trimBlanks(text).toLowerCase();

/** The facts of a list as they are kept: without blanks at either end, each once, in its first spelling. */
export function distinctFacts(list: readonly string[]): readonly string[] {
  if (list.length === 0) return list;
  const kept = new Map<string, string>();
  for (const text of list) {
    const key = factKey(text);
    if (!kept.has(key)) kept.set(key, trimBlanks(text));
  }
  return [...kept.values()];
}

/** Whether a fact names a person: it holds an e-mail address or one of a machine, a phone number, a card or an account number. */
export function isPersonalFact(text: string): boolean {
  if (text.length < SHORTEST_CONTACT) return false;
  const plain = plainText(text);
  return isContact(plain) || (plain.digits >= 4 && holdsMachine(plain.text.trim()));
}

/** Faults of facts that a schema cannot express. What is longer than it may be is a fault of its form. */
export function checkFacts(value: unknown, errors: ErrorDetail[]): void {
  const { sales_channel, discount_codes, tags } = fieldsOf(value);
  checkFact(sales_channel, 'sales_channel', FACTS.salesChannel, errors);
  checkFactList(discount_codes, 'discount_codes', FACTS.discountCodes, errors);
  checkFactList(tags, 'tags', FACTS.tags, errors);
}

function checkFactList(
  list: unknown,
  name: string,
  limits: { entries: number; characters: number },
  errors: ErrorDetail[],
): void {
  if (!Array.isArray(list) || list.length > limits.entries) return;
  list.forEach((one, i) => checkFact(one, `${name}[${i}]`, limits, errors));
}

function checkFact(text: unknown, field: string, { characters }: { characters: number }, errors: ErrorDetail[]): void {
  if (typeof text !== 'string' || text.length > 2 * characters || !isPersonalFact(text)) return;
  const message = `${field} looks like an address, a phone number or a card number; it says what was sold where, never who bought.`;
  errors.push({ code: 'pii_rejected', message, field });
}
