/** How a text begins that a spreadsheet may take for a formula, in letters of usual or full width. Apostrophes may go before. */
export const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u;

/** A text for a cell of a file: with an apostrophe before what would be run as a formula. */
export const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** The text that {@link guarded} was given. */
export const unguarded = (text: string): string => (text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text);
