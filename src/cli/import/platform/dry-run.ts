import type { ConvertedOrder } from '../../../convert/to-order.js';
import { formatMoney, readMicros } from '../../../convert/amounts.js';
import { NOTES, type NoteCode } from '../../../convert/notes.js';
import { compare } from '../../../domain/compare.js';
import { formatDay, parseTimestamp } from '../../../domain/time.js';
import { localDayIn } from '../../../domain/zones/local-day.js';
import { createProgress, grouped } from '../../../operations/progress.js';
import { FileError } from './json-values.js';
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
  holds: Map<string, { count: number; amount: bigint }>;
  notes: Map<NoteCode, number>;
  months: Map<string, Month>;
}

/**
 * `profit import … --dry-run`: what would be sent, by month, without a service. The month is that of the zone, else the one that
 * the platform wrote.
 */
export async function runDryRun(options: FileOptions & { timezone?: string }): Promise<ConvertExit> {
  const { stdout, stderr, timezone } = options;
  const monthOf = timezone === undefined ? writtenMonth : monthIn(timezone);
  const tally: Tally = { read: 0, holds: new Map(), notes: new Map(), months: new Map() };
  const unread = createUnreadCount();
  const progress = createProgress({ stream: stderr, label: 'orders', total: undefined });
  try {
    for await (const { conversion, amount, unread: fields } of ordersIn(options)) {
      tally.read++;
      progress.update(tally.read);
      unread.add(fields());
      if ('hold' in conversion) addHold(tally, conversion.hold.code, readMicros(amount, 'rounded') ?? 0n);
      else addOrder(tally, conversion, monthOf);
    }
  } finally {
    progress.stop();
  }
  if (tally.read === 0) throw new FileError('the file has no orders');
  stdout.write(tallyText(tally));
  for (const [code, count] of tally.notes) stderr.write(`${code} ${grouped(count)}: ${NOTES[code]}\n`);
  for (const sentence of unread.sentences()) stderr.write(`field_not_read ${sentence}\n`);
  return tally.holds.size > 0 ? 2 : 0;
}

function addHold({ holds }: Tally, code: string, amount: bigint): void {
  const before = holds.get(code) ?? { count: 0, amount: 0n };
  holds.set(code, { count: before.count + 1, amount: before.amount + amount });
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
  const held = [...holds.values()].reduce((sum, { count }) => sum + count, 0);
  const byCount = [...holds].sort(([a, one], [b, other]) => other.count - one.count || compare(a, b));
  const byMonth = [...months].sort(([a], [b]) => compare(a, b));
  return [
    `${read} orders read: ${read - held} convert, ${held} held back`,
    ...byCount.map(([code, { count, amount }]) => row(code, count, formatMoney(amount))),
    ...(byMonth.length > 0 ? [row('month', 'orders', 'total sales', 'refunds')] : []),
    ...byMonth.map(([name, { orders, sales, refunds }]) => row(name, orders, formatMoney(sales), formatMoney(refunds))),
    '',
  ].join('\n');
}

function row(name: string, count: number | string, ...amounts: string[]): string {
  return [name.padEnd(20), String(count).padStart(8), ...amounts.map((amount) => amount.padStart(14))].join(' ');
}
