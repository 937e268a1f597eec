import { existsSync } from 'node:fs';
import type { ConvertedOrder } from '../../../convert/to-order.js';
import { formatMoney, readMicros } from '../../../convert/amounts.js';
import { NOTES, type NoteCode } from '../../../convert/notes.js';
import { compare } from '../../../domain/compare.js';
import { formatDay, parseTimestamp } from '../../../domain/time.js';
import { localDayIn } from '../../../domain/zones/local-day.js';
import { createProgress, grouped } from '../../../operations/progress.js';
import { FileError } from './json-values.js';
import { importStatePath } from '../import-state.js';
import { heldPath, openRejectedFile } from '../rejected-file.js';
import { createHeldTally, type HeldTally } from './held-tally.js';
import { heldLine } from './platform-batches.js';
import { createUnreadCount } from './unread-count.js';
import { ordersIn, type ConvertExit, type FileOptions } from './run-convert.js';

interface Month {
  orders: number;
  sales: bigint;
  refunds: bigint;
}

/** Notes and holds of a file, and its months as the platform shows them. */
interface Tally {
  read: number;
  holds: HeldTally;
  notes: Map<NoteCode, number>;
  months: Map<string, Month>;
}

/**
 * `profit import … --dry-run`: what would be sent, by month, without a service. The month is that of the zone, else the one that
 * the platform wrote. Orders that are held back go to `FILE.held.ndjson`, as when they are imported.
 */
export async function runDryRun(options: FileOptions & { timezone?: string }): Promise<ConvertExit> {
  const { file, stdout, stderr, timezone } = options;
  const name = file === '-' ? 'stdin' : file;
  // An import that was interrupted goes on with its own.
  const heldFile = existsSync(importStatePath(name)) ? undefined : await openRejectedFile(heldPath(name), 0);
  const monthOf = timezone === undefined ? writtenMonth : monthIn(timezone);
  const tally: Tally = { read: 0, holds: createHeldTally(), notes: new Map(), months: new Map() };
  const unread = createUnreadCount();
  const progress = createProgress({ stream: stderr, label: 'orders', total: undefined });
  try {
    for await (const given of ordersIn(options)) {
      const { conversion, id, number, line, amount } = given;
      tally.read++;
      progress.update(tally.read);
      unread.add(given.unread());
      if ('hold' in conversion) {
        tally.holds.add(conversion.hold.code, number ?? id ?? `of line ${line}`, amount);
        await heldFile?.append([heldLine(given)]);
      } else addOrder(tally, conversion, monthOf);
    }
  } finally {
    progress.stop();
    await heldFile?.close();
  }
  if (tally.read === 0) throw new FileError('the file has no orders');
  stdout.write(tallyText(tally));
  if (tally.holds.count() > 0) stdout.write(heldText(tally.holds, heldFile?.path));
  for (const [code, count] of tally.notes) stderr.write(`${code} ${grouped(count)}: ${NOTES[code]}\n`);
  for (const sentence of unread.sentences()) stderr.write(`field_not_read ${sentence}\n`);
  return tally.holds.count() > 0 ? 2 : 0;
}

function addOrder(
  { notes, months }: Tally,
  { order, notes: codes }: { order: ConvertedOrder; notes: NoteCode[] },
  monthOf: (timestamp: string) => string,
): void {
  for (const code of codes) notes.set(code, (notes.get(code) ?? 0) + 1);
  if (order.status !== 'paid' || order.is_test === true) return;
  const month = (timestamp: string): Month => {
    const name = monthOf(timestamp);
    const known = months.get(name) ?? { orders: 0, sales: 0n, refunds: 0n };
    months.set(name, known);
    return known;
  };
  const sold = month(order.placed_at);
  sold.orders++;
  sold.sales += readMicros(order.total) ?? 0n;
  for (const refund of order.refunds ?? []) month(refund.refunded_at).refunds += readMicros(refund.total) ?? 0n;
}

function writtenMonth(timestamp: string): string {
  return timestamp.slice(0, 7);
}

function monthIn(timezone: string): (timestamp: string) => string {
  const localDay = localDayIn(timezone);
  return (timestamp) => formatDay(localDay(parseTimestamp(timestamp) ?? 0)).slice(0, 7);
}

function tallyText({ read, holds, months }: Tally): string {
  const held = holds.count();
  const byMonth = [...months].sort(([a], [b]) => compare(a, b));
  return [
    `${read} orders read: ${read - held} convert, ${held} held back`,
    ...holds.rows().map(([code, count, amount]) => row(code, count, amount)),
    ...(byMonth.length > 0 ? [row('month', 'orders', 'total sales', 'refunds')] : []),
    ...byMonth.map(([name, { orders, sales, refunds }]) => row(name, orders, formatMoney(sales), formatMoney(refunds))),
    '',
  ].join('\n');
}

function heldText(holds: HeldTally, file: string | undefined): string {
  const where = file === undefined ? [] : [`These orders are in ${file}; once their cause is gone, import that file.`];
  return ['', ...holds.sentences(), ...where, ''].join('\n');
}

function row(name: string, count: number | string, ...amounts: string[]): string {
  return [name.padEnd(20), String(count).padStart(8), ...amounts.map((amount) => amount.padStart(14))].join(' ');
}
