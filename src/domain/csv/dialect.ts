/** How CSV is read everywhere: as RFC 4180 has it, by csv-parse. Empty lines are left out. */
export const CSV_OPTIONS = {
  info: true,
  relax_column_count: true,
  skip_empty_lines: true,
  record_delimiter: ['\r\n', '\n'],
};

/** One record of a CSV file, and the line where it begins, from 1. */
export interface CsvRecord {
  line: number;
  fields: string[];
}

export const SEPARATORS = [',', ';', '\t'] as const;
/** A line by which Excel tells the separator of the file. */
const SEPARATOR_LINE = /^sep=(.)\r?(?:\n|$)/i;

/**
 * The separator of a file: the one that a line `sep=` names, else a comma, semicolon or tab, whichever its first line has most of.
 *
 * @param head its beginning, at least its first line, without a byte order mark
 * @returns with it how many characters at the beginning are no record
 */
export function separatorOf(head: string): { separator: string; skip: number } {
  const named = SEPARATOR_LINE.exec(head);
  if (named?.[1] !== undefined) return { separator: named[1], skip: named[0].length };
  const line = (head.split('\n', 1)[0] ?? '').replace(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return { separator: SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',', skip: 0 };
}

/** Where a record begins that ends on a line. */
export function beginOf(end: number, fields: readonly string[]): number {
  return end - fields.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
}
