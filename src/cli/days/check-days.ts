import type { Writable } from 'node:stream';
import type { Stores } from '../../composition/stores.js';
import type { SourceRecord } from '../../domain/source.js';
import { formatDay } from '../../domain/time.js';
import { fraction, formatDecimal, plus, ZERO, type Fraction } from '../../domain/money.js';
import { zonesVersion } from '../../domain/zones/database.js';
import { canonicalTimeZone } from '../../domain/zones/time-zone.js';
import { createProgress } from '../../operations/progress.js';
import { findMisdated, type MisdatedOrder } from '../../warehouse/queries/clock-moves.js';
import { requireDays, type DayChoice } from '../commands/chosen-days.js';

export interface CheckOptions extends DayChoice {
  stderr: Writable & { isTTY?: boolean };
  print: (line: string) => void;
  signal: AbortSignal;
}

export interface CheckSummary {
  /** Orders whose day, or that of a refund of theirs, would be another one now. */
  orders: number;
  /** Shops that have any. */
  shops: number;
}

const PAGE = 1_000;
/** Lines of orders and refunds that are printed; what is more is counted. */
const MAX_LINES = 200;

/** The shops of a choice with their sources. Throws a RangeError for a shop that has none, or a day that does not exist. */
export async function* chosenSources({ sources }: Stores, choice: DayChoice): AsyncGenerator<SourceRecord> {
  requireDays(choice);
  const { shop } = choice;
  for (const shopId of shop === undefined ? await sources.shopIds() : [shop]) {
    const source = await sources.find(shopId);
    if (source === null && shop !== undefined) throw new RangeError(`there is no shop ${shop}`);
    if (source !== null) yield source;
  }
}

/** Pages of the misdated orders of a shop. Throws a RangeError when this release lacks its time zone. */
export async function* misdatedOrders(
  { warehouse }: Pick<Stores, 'warehouse'>,
  { shopId, timezone }: SourceRecord,
  { from, to }: DayChoice,
  limit: number,
): AsyncGenerator<MisdatedOrder[]> {
  if (canonicalTimeZone(timezone) === null)
    throw new RangeError(`shop ${shopId} is in ${timezone}, which the time zones of ${zonesVersion()} lack`);
  const days = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  for (let after: MisdatedOrder | undefined; ;) {
    const page = await findMisdated(warehouse, { shopId, timezone, ...days, ...(after && { after }), limit });
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    after = page.at(-1);
  }
}

/** Prints the orders of the stored days that another release of the time zones has dated, with their amounts, and sums by shop. */
export async function runCheck(stores: Stores, options: CheckOptions): Promise<CheckSummary> {
  const { print, stderr, signal } = options;
  const summary: CheckSummary = { orders: 0, shops: 0 };
  let lines = 0;
  const printLine = (line: string): void => {
    if (lines++ < MAX_LINES) print(line);
  };
  const progress = createProgress({ stream: stderr, label: 'orders on other days', total: undefined });
  try {
    for await (const source of chosenSources(stores, options)) {
      let [orders, sales, refunds] = [0, ZERO, ZERO];
      for await (const page of misdatedOrders(stores, source, options, PAGE)) {
        signal.throwIfAborted();
        for (const order of page) {
          orders++;
          if (order.isCounted && order.stored !== order.now) sales = plus(sales, fraction(order.total));
          if (order.isCounted) refunds = order.refunds.reduce((sum, { total }) => plus(sum, fraction(total)), refunds);
          for (const line of linesOf(source, order)) printLine(line);
        }
        progress.update(summary.orders + orders);
      }
      if (orders === 0) continue;
      summary.orders += orders;
      summary.shops++;
      print(sumLine(source, { orders, sales, refunds }));
    }
  } finally {
    progress.stop();
  }
  if (lines > MAX_LINES) print(`${lines - MAX_LINES} more orders and refunds are counted above and not listed`);
  return summary;
}

/** What the commands print at their end of misdated orders. */
export const misdatedText = ({ orders, shops }: CheckSummary): string =>
  orders === 0
    ? 'no order would count on another day'
    : `${orders} orders of ${shops} shops would count on another day; "days mend" moves them`;

function* linesOf({ shopId, currency }: SourceRecord, order: MisdatedOrder): Generator<string> {
  const name = `${shopId} order ${order.orderId}`;
  const move = ({ stored, now }: { stored: number; now: number }): string =>
    `${formatDay(stored)} -> ${formatDay(now)}`;
  const counts = order.isCounted ? '' : ' (in no figure)';
  if (order.stored !== order.now) yield `${name}: ${move(order)}, ${amount(order.total)} ${currency}${counts}`;
  for (const refund of order.refunds)
    yield `${name}, refund ${refund.refundId}: ${move(refund)}, ${amount(refund.total)} ${currency}${counts}`;
}

const amount = (text: string): string => formatDecimal(fraction(text));

function sumLine(
  { shopId, currency, timezone }: SourceRecord,
  { orders, sales, refunds }: { orders: number; sales: Fraction; refunds: Fraction },
): string {
  const sums = `sales of ${formatDecimal(sales)} and refunds of ${formatDecimal(refunds)} ${currency}`;
  return `${shopId}: ${orders} orders, with ${sums} on other days by ${timezone} of ${zonesVersion()}`;
}
