import { ERROR_CATALOGUE } from '../../error-catalogue.js';
import type { ErrorDetail } from '../../errors.js';
import { looksLikePhone } from '../orders/order-rules.js';
import { holdsCard } from './numbers.js';
import { isPersonalValue } from './values.js';

/** Replaces a text that may not be kept. */
export const REMOVED = '[removed]';

const AT_SIGN = /[@＠﹫]/;
const AMOUNT = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/;

/** What a text is by its schema: ids, amounts and days may look like grouped phone numbers, free texts may not. */
export type TextKind = 'free' | 'id' | 'formatted';

/** A text of a refused item as it may be kept: as a whole, or not at all where it holds something personal. */
export function redactText(text: string, kind: TextKind): string {
  const wellFormed = text.toWellFormed();
  return isPersonal(wellFormed, kind) ? REMOVED : wellFormed;
}

function isPersonal(text: string, kind: TextKind): boolean {
  if (kind === 'formatted' && AMOUNT.test(text)) return holdsCard(text);
  const trimmed = text.trim();
  if (AT_SIGN.test(text) || isPersonalValue(text)) return true;
  return (kind === 'free' || trimmed.startsWith('+')) && looksLikePhone(trimmed);
}

/** An id of a refused item; null: it had none. */
export function redactId(id: string | null): string | null {
  return id === null ? null : redactText(id, 'id');
}

/**
 * A fault as it may be kept: the sentence of its code, and which field. Nothing of what was sent is quoted. The name of an unknown
 * field was sent as well.
 */
export function redactError({ code, field, computed, supplied }: ErrorDetail): ErrorDetail {
  return {
    code,
    message: ERROR_CATALOGUE[code].meaning,
    ...(field !== undefined && code !== 'unknown_field' && { field }),
    ...(computed !== undefined && { computed: redactText(computed, 'formatted') }),
    ...(supplied !== undefined && { supplied: redactText(supplied, 'formatted') }),
  };
}
