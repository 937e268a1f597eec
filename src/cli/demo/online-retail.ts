import { absolute, formatDecimal, isNegative, isZero, plus, sum, times, whole, ZERO } from '../../domain/money.js';
import { attachCancellations, type Cancellation, type Sale, type SaleLine } from './online-retail-refunds.js';
import { readRows, type Row } from './online-retail-rows.js';

/** One order as `POST /v1/orders` takes it, with the fields that this data set can fill. */
export type RetailOrder = ReturnType<typeof toOrder>;

const MAX_LINES = 500;

/**
 * Turns the rows of the "Online Retail" data set into orders, in order of `placed_at`.
 *
 * - One invoice is one order; its lines are the rows with `Quantity` > 0 and `UnitPrice` > 0; `line_id` is the row's number
 *   within the invoice, from 1; `placed_at` is the time of the first such row, in Europe/London, with the offset of that day.
 * - An invoice of more than 500 lines becomes several orders: `INVOICE`, `INVOICE-2`, …
 * - `total` is the exact sum of `UnitPrice` × `Quantity`; there is no other money in the data.
 * - An invoice that starts with `C` is a cancellation: one refund (`refund_id` is its number) at its own time, of the
 *   absolute sum of its rows. The data names no order for it; it goes to an order placed before it: of the same customer, the
 *   one that sold the most of the cancelled articles (the latest of equals), whose lines it then names as restocked, never
 *   more of a line than was sold; else the same customer's latest; else the latest of anyone. A cancellation older than
 *   every order goes to the first order of the file, so that no money of any day is lost.
 * - `updated_at` is the time of the last thing that happened to the order: its sale or a refund.
 *
 * The same rows give the same orders, byte for byte. The whole file is held in memory (about 25,000 invoices a year),
 * because a later row may refund an earlier order. Convert all files of a shop in one go: which order a cancellation
 * lands on depends on the orders that are there.
 *
 * @param csv bytes of one CSV file, or of several one after the other (a repeated heading is skipped)
 * @param options `paymentGateway` labels every order, for trying out fee rules: the data names none
 * @throws CsvError for a heading without the expected columns and for a row that cannot be read; the message names the line
 */
export async function* convertOnlineRetail(
  csv: AsyncIterable<Uint8Array>,
  options: { paymentGateway?: string } = {},
): AsyncGenerator<RetailOrder> {
  const { sales, cancellations } = await collectInvoices(csv);
  attachCancellations(sales, cancellations);
  for (const sale of sales) yield toOrder(sale, options.paymentGateway);
}

async function collectInvoices(
  csv: AsyncIterable<Uint8Array>,
): Promise<{ sales: Sale[]; cancellations: Cancellation[] }> {
  const invoices = new Map<string, { rows: number; counted: (SaleLine & { at: Row['at'] })[]; customer: string }>();
  const cancelled = new Map<string, Cancellation>();
  for await (const row of readRows(csv)) {
    if (row.invoice.startsWith('C')) {
      const { invoice: refundId, at, customer } = row;
      const cancellation = cancelled.get(refundId) ?? { refundId, ...at, customer, net: ZERO, articles: new Map() };
      cancelled.set(refundId, cancellation);
      cancellation.net = plus(cancellation.net, times(whole(row.quantity), row.price));
      const { articles } = cancellation;
      if (row.quantity < 0n) articles.set(row.sku, (articles.get(row.sku) ?? 0n) - row.quantity);
      continue;
    }
    const invoice = invoices.get(row.invoice) ?? { rows: 0, counted: [], customer: row.customer };
    invoices.set(row.invoice, invoice);
    invoice.rows++;
    if (row.quantity <= 0n || isNegative(row.price) || isZero(row.price)) continue;
    const { quantity, price, sku, title, at } = row;
    invoice.counted.push({ lineId: String(invoice.rows), quantity, left: quantity, price, sku, title, at });
  }

  const sales: Sale[] = [];
  for (const [invoice, { counted, customer }] of invoices) {
    const [first] = counted;
    if (!first) continue;
    for (let from = 0; from < counted.length; from += MAX_LINES) {
      const orderId = from === 0 ? invoice : `${invoice}-${from / MAX_LINES + 1}`;
      const lines = counted.slice(from, from + MAX_LINES);
      sales.push({ orderId, name: invoice, ...first.at, customer, lines, refunds: [] });
    }
  }
  return { sales: sales.sort((a, b) => a.millis - b.millis), cancellations: [...cancelled.values()] };
}

function toOrder(sale: Sale, paymentGateway: string | undefined) {
  const total = sum(sale.lines.map(({ quantity, price }) => times(whole(quantity), price)));
  const last = sale.refunds.reduce<{ iso: string; millis: number }>((a, b) => (b.millis > a.millis ? b : a), sale);
  return {
    order_id: sale.orderId,
    order_name: sale.name,
    placed_at: sale.iso,
    updated_at: last.iso,
    currency: 'GBP',
    status: 'paid' as const,
    ...(sale.customer && { customer: { id: sale.customer } }),
    line_items: sale.lines.map((line) => ({
      line_id: line.lineId,
      quantity: line.quantity.toString(),
      unit_price: formatDecimal(line.price),
      ...(line.sku && { sku: line.sku }),
      ...(line.title && { title: line.title }),
    })),
    taxes_included: true,
    total: formatDecimal(total),
    ...(paymentGateway !== undefined && { payment_gateway: paymentGateway }),
    refunds: sale.refunds.map((refund) => ({
      refund_id: refund.refundId,
      refunded_at: refund.iso,
      total: formatDecimal(absolute(refund.net)),
      line_items: refund.lines.map(({ lineId, quantity }) => ({
        line_id: lineId,
        quantity: quantity.toString(),
        restock: true,
      })),
    })),
  };
}
