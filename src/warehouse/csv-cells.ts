import { CELL_PATTERNS } from '../domain/csv/cells.js';
import { literal } from './sql.js';

/** Cells of CSV as the API writes them, as texts in SQL. Null becomes an empty cell. */

const matches = (text: string, pattern: string): string => `match(${text}, ${literal(pattern)})`;

/** A text, with an apostrophe before what a spreadsheet would run, and in quotes where it needs them. */
export function textCell(text: string): string {
  const { formula, special } = CELL_PATTERNS;
  const safe = `concat(if(${matches(text, formula)}, '\\'', ''), ${text})`;
  const quoted = `concat('"', replaceAll(${safe}, '"', '""'), '"')`;
  // Most are neither.
  return `if(NOT ${matches(text, `${formula}|${special}`)}, ${text}, if(${matches(safe, special)}, ${quoted}, ${safe}))`;
}

/** An amount without zeros behind its second decimal: of a decimal that is rounded, as {@link amountText} has it. */
export function moneyCell(text: string): string {
  const point = `position(${text}, '.')`;
  return `concat(${text}, multiIf(${text} = '', '', ${point} = 0, '.00', ${point} = length(${text}) - 1, '0', ''))`;
}
export const amountText = (amount: string): string => `ifNull(toString(${amount}), '')`;

/** An instant of microseconds. */
export const timeCell = (time: string): string => `ifNull(concat(replaceOne(toString(${time}), ' ', 'T'), 'Z'), '')`;
export const flagCell = (flag: string): string => `if(${flag}, 'true', 'false')`;
export const dayCell = (day: string): string => `ifNull(toString(${day}), '')`;

/** Rows as lines, from the cells of each. */
export const lineOf = (cells: readonly string[]): string => `concat(${cells.join(", ',', ")}, '\\r\\n')`;
