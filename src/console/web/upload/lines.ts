import type { Decisions, Open } from '../../../domain/csv/amounts.js';
import { readAdExport, type AdExport } from '../../../domain/costs/ad-export.js';
import { addedUp, exportLines } from '../../../domain/costs/ad-export-rows.js';
import { MAX_LINES, readCsv } from '../../../domain/csv/read-csv.js';
import { readCell } from './cells.js';
import type { UploadKind } from './kinds.js';

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
  text: string | null,
  { columns, mostLines, rules }: UploadKind,
  decisions: Decisions,
): UploadLine[] | string {
  const records = readCsv(text);
  if (typeof records === 'string') return records;
  const [head, ...rest] = records;
  if (mostLines !== undefined && rest.length > mostLines) return `The file has more than ${mostLines} lines. Split it.`;
  const names = (head?.fields ?? []).map((name) => name.toLowerCase().replace(/[\s-]+/g, '_'));
  const absent = columns.filter(({ name, isRequired }) => isRequired === true && !names.includes(name));
  if (absent.length > 0) {
    const list = (head?.fields ?? []).filter((name) => name !== '').join(', ');
    const found = list.length > LONGEST_LIST ? `${list.slice(0, LONGEST_LIST)}…` : list;
    return `The first line names no column ${absent.map(({ name }) => name).join(', ')}. It has: ${found}.`;
  }
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

/** Characters of columns that a message repeats. */
const LONGEST_LIST = 300;

/** The lines of a file, and how the export of an ad network was read where it is one. */
export interface UploadFile {
  lines: readonly UploadLine[];
  read: { found: AdExport; totals: number } | null;
}

/** @param currency that of the shop, for an export that names none */
export function readUpload(
  text: string | null,
  kind: UploadKind,
  decisions: Decisions,
  currency: string,
): UploadFile | string {
  const lines = readLines(text, kind, decisions);
  if (typeof lines !== 'string') return { lines, read: null };
  const found = kind.takesExports === true ? readAdExport(text, MAX_LINES) : null;
  if (found === null || typeof found === 'string') return lines;
  const { lines: own, totals } = exportLines(found, { decisions, currency });
  return {
    lines: addedUp(own).map(({ item, ...line }) => ({
      ...line,
      item,
      cells: kind.columns.map(({ name }) => item[name] ?? ''),
    })),
    read: { found, totals },
  };
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
