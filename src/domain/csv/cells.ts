import { FORMULA } from '../formula.js';

/** White space as `\s` of JavaScript has it, in words that RE2 understands too. */
const SPACE = '[\\s\\v\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]';

/**
 * Patterns of texts in a cell, for JavaScript and RE2: what a spreadsheet may take for a formula, and what must be in
 * quotes. Semicolons and tabs too, since some spreadsheets take them for separators.
 */
export const CELL_PATTERNS = { formula: FORMULA.source, special: `[",;\\t\\r\\n]|^${SPACE}|${SPACE}$` } as const;
