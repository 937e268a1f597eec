import type { Decisions, Open } from './amounts.js';
import { readCell } from './cells.js';
import type { UploadKind } from './kinds.js';
import { readCsv } from './read-csv.js';

/** A line of a file: an item that can be sent, or why not. */
export interface UploadLine {
  line: number;
  /** The texts of the columns, in their order. */
  cells: readonly string[];
  item: Readonly<Record<string, string | boolean>>;
  /** All that is wrong with it. */
  fault: string | null;
  /** An amount that can be read in two ways. */
  open: (Open & { text: string }) | null;
}

/** The lines of a file, or what is wrong with the whole of it. */
export function readLines(
  text: string,
  { columns, mostLines, rules }: UploadKind,
  decisions: Decisions,
): UploadLine[] | string {
  const records = readCsv(text);
  if (typeof records === 'string') return records;
  const [head, ...rest] = records;
  if (mostLines !== undefined && rest.length > mostLines) return `The file has more than ${mostLines} lines. Split it.`;
  const names = (head?.fields ?? []).map((name) => name.toLowerCase().replace(/[\s-]+/g, '_'));
  const absent = columns.filter(({ name, isRequired }) => isRequired === true && !names.includes(name));
  if (absent.length > 0) return `The first line names no column ${absent.map(({ name }) => name).join(', ')}.`;
  const places = columns.map(({ name }) => names.indexOf(name));
  return rest.map(({ line, fields }) => {
    const cells = places.map((place) => fields[place] ?? '');
    const item: Record<string, string | boolean> = {};
    const faults: string[] = [];
    let open: UploadLine['open'] = null;
    columns.forEach((column, i) => {
      const cell = cells[i] ?? '';
      if (cell === '') {
        if (column.isRequired === true) faults.push(`${column.label} is empty.`);
        return;
      }
      const read = readCell(cell, column, decisions);
      if ('value' in read) item[column.name] = read.value;
      else if ('fault' in read) faults.push(read.fault);
      else open ??= { ...read.open, text: cell };
    });
    faults.push(...(rules?.(item) ?? []).map(({ message }) => message));
    return { line, cells, item, fault: faults.length === 0 ? null : faults.join(' '), open };
  });
}

/** Those that can be sent, in batches; lines of one key stay together, where their order counts. */
export function batchesOf(lines: readonly UploadLine[], { columns, most }: UploadKind): UploadLine[][] {
  const keyOf = ({ item }: UploadLine): string => String(item[columns[0]?.name ?? '']);
  const sorted = lines
    .filter(({ fault, open }) => fault === null && open === null)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : a.line - b.line));
  const batches: UploadLine[][] = [];
  for (let begin = 0; begin < sorted.length;) {
    let end = Math.min(begin + most, sorted.length);
    const next = sorted[end];
    if (next !== undefined) {
      const first = sorted.findIndex((line, i) => i >= begin && keyOf(line) === keyOf(next));
      if (first > begin && first < end) end = first;
    }
    batches.push(sorted.slice(begin, end));
    begin = end;
  }
  return batches;
}
