import type { Fault } from '../../client/index.js';
import { readAdExport, type AdExport } from '../../domain/costs/ad-export.js';
import { addedUp, exportLines } from '../../domain/costs/ad-export-rows.js';
import type { Decisions } from '../../domain/csv/amounts.js';
import { DAMAGED_ID, isDamagedId } from '../../domain/csv/damaged-id.js';
import { readCsv } from '../../domain/csv/read-csv.js';
import { FileError } from './platform/json-values.js';

/** One row of `POST /v1/costs/spend`, and the line of the file where it begins. */
export interface SpendLine {
  line: number;
  item: Readonly<Record<string, string | number>>;
  /** Why it is not sent; null: it is. */
  fault: Fault | null;
}

export interface SpendFile {
  lines: readonly SpendLine[];
  /** How the export of a network was read; null: the columns are those of the API. */
  read: { found: AdExport; totals: number } | null;
}

const REQUIRED = ['event_date', 'channel', 'spend', 'currency'];
const IDS = ['campaign_id', 'adset_id', 'ad_id'];
const OTHERS = ['campaign_name', 'adset_name', 'ad_name', 'conversion_value'];
const COUNTS = ['impressions', 'clicks', 'conversions'];
const KNOWN = new Set([...REQUIRED, ...IDS, ...OTHERS, ...COUNTS]);
/** Columns of a message. */
const MOST_NAMED = 40;

/**
 * The rows of a file: columns of the API by their names, or the export of an ad network.
 *
 * @throws FileError where it is neither, with the columns that were found
 */
export function readSpend(text: string | null, options: SpendOptions): SpendFile {
  const records = readCsv(text, { mostLines: MOST_LINES });
  const [head, ...rest] = typeof records === 'string' ? [] : records;
  const names = (head?.fields ?? []).map((name) => name.toLowerCase().replace(/[\s-]+/g, '_'));
  if (REQUIRED.every((name) => names.includes(name))) {
    return { lines: rest.map(({ line, fields }) => toLine(line, names, fields)), read: null };
  }
  const found = readAdExport(text, MOST_LINES);
  if (typeof found === 'string') throw new FileError(found);
  if (found === null) {
    const columns = (head?.fields ?? []).filter((name) => name !== '').slice(0, MOST_NAMED);
    throw new FileError(
      `no line is the header of an export by day of Meta, Google, TikTok or Pinterest, nor has it the columns ${REQUIRED.join(', ')}; found: ${columns.join(', ')}`,
    );
  }
  const { lines, totals } = exportLines(found, options);
  const own = addedUp(lines).map(({ line, item, fault, open }): SpendLine => {
    const doubt = open && `“${open.text}” is ${open.decimal} or ${open.group}: say --decimal comma or --decimal point.`;
    const message = fault ?? doubt;
    return { line, item, fault: message === null ? null : { code: 'invalid_value', message } };
  });
  return { lines: own, read: { found, totals } };
}

/** Lines of a file, which is read as a whole. */
const MOST_LINES = 500_000;

export interface SpendOptions {
  decisions: Decisions;
  /** Of an export that names none. */
  currency: string | undefined;
}

function toLine(line: number, names: readonly string[], fields: readonly string[]): SpendLine {
  const item: Record<string, string | number> = {};
  let fault: Fault | null = null;
  names.forEach((name, i) => {
    const cell = fields[i] ?? '';
    if (cell === '' || !KNOWN.has(name)) return;
    item[name] = COUNTS.includes(name) && /^\d{1,15}(?:\.\d{1,6})?$/.test(cell) ? Number(cell) : cell;
    if (IDS.includes(name) && isDamagedId(cell)) {
      fault = { code: 'invalid_value', message: `${name} "${cell}" ${DAMAGED_ID}.`, field: name };
    }
  });
  return { line, item, fault };
}
