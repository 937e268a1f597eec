import { readAmount, type Decisions, type Reading } from './amounts.js';
import type { UploadKind } from './kinds.js';
import { readCsv } from './read-csv.js';

type Open = Exclude<Reading, { value: string } | null>;

/** A line of a file: an item that can be sent, or why not. */
export interface UploadLine {
  line: number;
  /** The texts of the columns, in their order. */
  cells: readonly string[];
  item: Readonly<Record<string, string>>;
  fault: string | null;
  /** An amount that can be read in two ways. */
  open: (Open & { text: string }) | null;
}

/** The lines of a file, or what is wrong with the whole of it. */
export function readLines(text: string, { columns }: UploadKind, decisions: Decisions): UploadLine[] | string {
  const records = readCsv(text);
  if (typeof records === 'string') return records;
  const [head, ...rest] = records;
  const names = (head?.fields ?? []).map((name) => name.toLowerCase().replace(/[\s-]+/g, '_'));
  const absent = columns.filter(({ name, isRequired }) => isRequired === true && !names.includes(name));
  if (absent.length > 0) return `The first line names no column ${absent.map(({ name }) => name).join(', ')}.`;
  const places = columns.map(({ name }) => names.indexOf(name));
  return rest.map(({ line, fields }) => {
    const cells = places.map((place) => fields[place] ?? '');
    const item: Record<string, string> = {};
    let fault: string | null = null;
    let open: UploadLine['open'] = null;
    columns.forEach(({ name, label, isAmount, isRequired }, i) => {
      const cell = cells[i] ?? '';
      if (cell === '') {
        if (isRequired === true) fault ??= `${label} is empty.`;
        return;
      }
      const reading = isAmount === true ? readAmount(cell, decisions) : { value: cell };
      if (reading === null) fault ??= `${label} is no amount.`;
      else if ('value' in reading) item[name] = reading.value;
      else open ??= { ...reading, text: cell };
    });
    return { line, cells, item, fault, open };
  });
}

/** Those that can be sent, in batches; lines of one key stay together, where their order counts. */
export function batchesOf(lines: readonly UploadLine[], { columns, most }: UploadKind): UploadLine[][] {
  const keyOf = ({ item }: UploadLine): string => item[columns[0]?.name ?? ''] ?? '';
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
