/** Blanks as the warehouse's regular expressions know them too. */
export const BLANKS = '\\p{Z}\\t\\n\\v\\f\\r';
const STARTS = new RegExp(`^[${BLANKS}]`, 'u');
const ENDS = new RegExp(`^[${BLANKS}]+|[${BLANKS}]+$`, 'gu');

/** The form by which identifiers that people type are compared: without blanks at either end. */
export function trimBlanks(text: string): string {
  return STARTS.test(text) || STARTS.test(text.at(-1) ?? '') ? text.replace(ENDS, '') : text;
}
