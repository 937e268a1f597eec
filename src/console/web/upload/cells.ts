import { isCurrency } from '../../../domain/currency.js';
import { DAMAGED_ID, isDamagedId } from '../../../domain/csv/damaged-id.js';
import { unguarded } from '../../../domain/formula.js';
import { dayRule, LAST_DAY, parseDay } from '../../../domain/time.js';
import { readAmount, type Decisions, type Open } from '../../../domain/csv/amounts.js';
import type { Column } from './kinds.js';

/** A value as the API takes it, why there is none, or an amount that can be read in two ways. */
export type Cell = { value: string | boolean } | { fault: string } | { open: Open };

const MAX_CHARACTERS = 255;
const DECIMAL = /^\d{1,15}(?:\.\d{1,6})?$/;
const FLAGS: Readonly<Record<string, boolean>> = { true: true, yes: true, 1: true, false: false, no: false, 0: false };

/** Reads a cell that is not empty, by the rules of the API. Of a text that we wrote into a file, the apostrophe before a formula goes. */
export function readCell(text: string, { label, form, isId, lastDay = LAST_DAY }: Column, decisions: Decisions): Cell {
  if (form === 'amount') {
    const reading = readAmount(text, decisions);
    if (reading === null) return { fault: `${label} is no amount.` };
    if (!('value' in reading)) return { open: reading };
    return DECIMAL.test(reading.value) ? reading : { fault: `${label} has more than 15 digits, or 6 decimals.` };
  }
  if (form === 'day')
    return parseDay(text, lastDay) === null ? { fault: `${label} ${dayRule(text, lastDay)}.` } : { value: text };
  if (form === 'currency')
    return isCurrency(text) ? { value: text } : { fault: `${label} is no code such as EUR, in upper case.` };
  const word = text.toLowerCase();
  if (form === 'flag') {
    const value = Object.hasOwn(FLAGS, word) ? FLAGS[word] : undefined;
    return value === undefined ? { fault: `${label} is neither true nor false.` } : { value };
  }
  if (form !== undefined)
    return form.includes(word) ? { value: word } : { fault: `${label} is none of ${form.join(', ')}.` };
  const value = unguarded(text);
  if (isId === true && isDamagedId(value)) return { fault: `${label} “${value.slice(0, 30)}” ${DAMAGED_ID}.` };
  if (Array.from(value).length > MAX_CHARACTERS)
    return { fault: `${label} has more than ${MAX_CHARACTERS} characters.` };
  return /\p{Cc}/u.test(value)
    ? { fault: `${label} has a line break or another character that is no text.` }
    : { value };
}
