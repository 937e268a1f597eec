/** One record of a CSV file, and the line where it begins. */
export interface CsvRecord {
  line: number;
  fields: string[];
}

/** Of a file that is read as a whole. */
export const MAX_BYTES = 2 * 1024 * 1024;
export const MAX_LINES = 10_000;

const SEPARATORS = [',', ';', '\t'];

/** The records of a CSV file as RFC 4180 has it, or what is wrong with it. The separator is the one that the first line has most of. */
export function readCsv(file: string): CsvRecord[] | string {
  const text = file.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  if (text.includes('\uFFFD')) return 'The file is not in UTF-8. Save it as “CSV UTF-8”.';
  const head = (text.split('\n', 1)[0] ?? '').replace(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => head.split(separator).length);
  const separator = SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
  const records: CsvRecord[] = [];
  // A field and what ends it: quoted, with quotes written twice, or plain.
  const field = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|([^"${separator}\\n]*))(${separator}|\\n|$)`, 'y');
  let line = 1;
  let record: CsvRecord = { line, fields: [] };
  while (field.lastIndex < text.length) {
    const found = field.exec(text);
    if (found === null) return `Line ${line} has a quote in the wrong place, or one that is never closed.`;
    const [whole, quoted, plain = '', end] = found;
    record.fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"').trim());
    line += whole.split('\n').length - 1;
    if (end !== separator) {
      if (record.fields.some((value) => value !== '')) records.push(record);
      if (records.length > MAX_LINES + 1) return `The file has more than ${MAX_LINES} lines. Split it.`;
      record = { line, fields: [] };
    }
    if (whole === '' && field.lastIndex >= text.length) break;
  }
  // A separator at the very end begins one more field, which is empty.
  if (record.fields.some((value) => value !== '')) records.push(record);
  return records.length < 2 ? 'The file has no lines below its header.' : records;
}
