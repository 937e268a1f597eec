import { readAmount, type Decisions, type Open } from '../csv/amounts.js';
import { DAMAGED_ID, isDamagedId } from '../csv/damaged-id.js';
import { isCurrency } from '../currency.js';
import { formatScaled, isDecimal, toMicros } from '../micros.js';
import { dayRule, parseDay } from '../time.js';
import type { AdExport, ExportField } from './ad-export.js';

/** One line of an export: a row of ad spend, or why it is none. */
export interface ExportLine {
  line: number;
  /** As a row of `POST /v1/costs/spend`. */
  item: Readonly<Record<string, string>>;
  fault: string | null;
  /** An amount that can be read in two ways. */
  open: (Open & { text: string }) | null;
}

export interface ExportOptions {
  decisions: Decisions;
  /** Where the file names no currency. */
  currency: string | undefined;
}

const NOTHING = /^(?:-+|–|—)?$/;
const IS_ID: ReadonlySet<ExportField> = new Set(['campaign_id', 'adset_id', 'ad_id']);

/** The lines of an export; `totals` of them are sums of others, which are left out. */
export function exportLines(found: AdExport, options: ExportOptions): { lines: ExportLine[]; totals: number } {
  const lines = found.records.flatMap(({ line, fields }) => toLine(line, fields, found, options) ?? []);
  return { lines, totals: found.records.length - lines.length };
}

function toLine(line: number, fields: readonly string[], found: AdExport, options: ExportOptions): ExportLine | null {
  const cells = new Map(found.columns.map(({ field, place }) => [field, fields[place] ?? '']));
  const date = cells.get('event_date') ?? '';
  if (NOTHING.test(date) || /^total\b/i.test(date) || /^total\b/i.test(fields[0] ?? '')) return null;
  const item: Record<string, string> = { channel: found.channel };
  const faults: string[] = [];
  // A date-time is cut: exports by day have them at midnight.
  const day = /^(\d{4}-\d{2}-\d{2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/.exec(date)?.[1] ?? date;
  const until = found.until === null ? date : (fields[found.until] ?? date);
  if (until !== date) faults.push(`It is of ${date} to ${until}: export it with the breakdown “By day”.`);
  else if (parseDay(day) === null) faults.push(`Day ${dayRule(day)}.`);
  else item.event_date = day;

  const currency = NOTHING.test(cells.get('currency') ?? '')
    ? (found.currency ?? options.currency)
    : cells.get('currency');
  if (currency === undefined) faults.push('No column names the currency.');
  else if (!isCurrency(currency)) faults.push('Currency is no code such as EUR.');
  else item.currency = currency;

  let open: ExportLine['open'] = null;
  const text = cells.get('spend') ?? '';
  // Networks leave the cell empty where nothing was spent.
  const spend = NOTHING.test(text) ? { value: '0' } : readAmount(text.replace(/^[A-Z]{3}\s*/, ''), options.decisions);
  if (spend === null) faults.push(`“${text.slice(0, 30)}” is no amount.`);
  else if (!('value' in spend)) open = { ...spend, text };
  else if (!isDecimal(spend.value)) faults.push('The amount has more than 15 digits, or 6 decimals.');
  else item.spend = spend.value;

  for (const [field, given] of cells) {
    if (item[field] !== undefined || ['event_date', 'spend', 'currency'].includes(field) || NOTHING.test(given))
      continue;
    // Some exports write an apostrophe before, so that a spreadsheet takes an id for a text.
    const value = IS_ID.has(field) ? given.replace(/^'/, '') : Array.from(given).slice(0, 255).join('');
    if (IS_ID.has(field) && isDamagedId(value)) faults.push(`${field} “${value}” ${DAMAGED_ID}.`);
    else item[field] = value;
  }
  return { line, item, fault: faults.length === 0 ? null : faults.join(' '), open };
}

const KEY = ['event_date', 'channel', 'currency', 'campaign_id', 'adset_id', 'ad_id'];
const NAMES = ['campaign_name', 'adset_name', 'ad_name'];

/**
 * Lines of one natural key as one, since of rows of one key the newest alone counts: their amounts are added up. That is so without ids
 * (the key is then the day), and where an export is divided further, such as by device. A name stays where all lines have the same.
 */
export function addedUp(lines: readonly ExportLine[]): ExportLine[] {
  const rows = new Map<string, { line: number; item: Record<string, string>; spend: bigint }>();
  const rest: ExportLine[] = [];
  for (const one of lines) {
    const { line, item } = one;
    if (one.fault !== null || one.open !== null) {
      rest.push(one);
      continue;
    }
    const key = JSON.stringify(KEY.map((name) => item[name] ?? null));
    const known = rows.get(key);
    if (known === undefined) {
      rows.set(key, { line, item: { ...item }, spend: toMicros(item.spend ?? '0') });
      continue;
    }
    known.spend += toMicros(item.spend ?? '0');
    const { item: before } = known;
    known.item = Object.fromEntries(
      Object.entries(before).filter(([name, value]) => !NAMES.includes(name) || item[name] === value),
    );
  }
  const whole = [...rows.values()].map(({ line, item, spend }) => ({
    line,
    item: { ...item, spend: formatScaled(spend, 6) },
    fault: null,
    open: null,
  }));
  return [...whole, ...rest].sort((a, b) => a.line - b.line);
}
