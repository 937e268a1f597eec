import { isOpen, positiveMoney, readMicros, money as plain, quantityOf, requiredMoney, total } from '../amounts.js';
import { conversionOf, type Conversion } from '../conversion.js';
import { firstDate } from '../dates.js';
import { factsOf } from '../facts.js';
import { hold } from '../holds.js';
import type { Notes } from '../notes.js';
import { isGiftCardSku, type ConversionOptions } from '../options.js';
import type { Sale, SaleRefund, SoldLine } from '../sale.js';
import { residualOf } from '../totals.js';
import { toOrder, type ConvertedOrder } from '../to-order.js';
import { gatewayIn } from './gateway.js';
import { currencyCode, label, title } from '../values.js';
import { netOf } from './lines.js';
import { countsWhole, partlyPaid, statusOf } from './status.js';

/** A line of the order export of Shopify's admin, by the names of its columns in lower case. */
export type CsvRow = Readonly<Record<string, string>>;

/** Columns by which the export is distinguished from other files. */
export const CSV_COLUMNS = ['name', 'total', 'lineitem quantity', 'lineitem price'];

const NEEDED = ['id', 'financial status', 'currency', 'taxes', 'shipping', 'discount amount', 'created at'];

/** Whether a line begins an order: its columns stand on its first line only. */
export function beginsOrder(row: CsvRow, before: CsvRow | undefined): boolean {
  return before === undefined || !isOpen(row.total) || (!isOpen(row.name) && row.name !== before.name);
}

/** The lines of one order as an item. An export tells no version: the item has no `updated_at`. */
export function convertShopifyRows(rows: readonly CsvRow[], options: ConversionOptions = {}): Conversion {
  return conversionOf((notes) => convert(rows, options, notes));
}

function convert(rows: readonly CsvRow[], options: ConversionOptions, notes: Notes): ConvertedOrder {
  const order = rows[0] ?? {};
  const missing = NEEDED.find((name) => order[name] === undefined);
  if (missing !== undefined) throw incomplete(missing, `The column "${missing}" is missing; export the orders again.`);
  const id = order.id ?? '';
  if (!/^\d{1,20}$/.test(id))
    throw incomplete('id', 'The column "Id" of its first line does not have the id of the order.');
  const currency = currencyCode(order.currency);
  if (currency === undefined) throw incomplete('currency', 'The column "Currency" has no code of a currency.');
  if (options.currency !== undefined && options.currency !== currency) {
    throw hold('other_currency', 'currency', `The order is in ${currency} and the shop in ${options.currency}.`);
  }
  const given = requiredMoney(order.total, 'total');
  if (given < 0n) throw hold('negative_total', 'total', 'The total is negative.');

  const open = openPart(order, given, options);
  const told = { financial_status: order['financial status'], cancelled_at: order['cancelled at'] };
  const status = statusOf(told, open, options, notes);
  const all = rows
    .filter((row) => !isOpen(row['lineitem quantity']) || !isOpen(row['lineitem name']))
    .map(lineOf)
    .filter((line) => line.quantity > 0n);
  if (all.length === 0) throw hold('no_lines', 'lineitem quantity', 'The order has no lines.');
  const ofLines = total(all.map((line) => line.discount));
  const discount = positiveMoney(order['discount amount'], 'discount amount');
  const sale: Sale = {
    id,
    name: title(order.name),
    placedAt: firstDate(['created at', order['created at']]),
    updatedAt: undefined,
    currency,
    status,
    isTest: isBogus(order['payment method']),
    customerId: undefined,
    lines: all,
    taxesIncluded: false,
    // Several are joined by a plus sign.
    gateway: gatewayIn((order['payment method'] ?? '').split(' + ')),
    gatewayFee: 0n,
    subscriptionId: undefined,
    checkoutToken: undefined,
    facts: factsOf(
      {
        countries: [order['shipping country'], order['billing country']],
        salesChannel: order.source,
        discountCodes: order['discount code'],
        tags: order.tags,
      },
      notes,
    ),
    discounts: discount > ofLines ? discount - ofLines : 0n,
    shipping: positiveMoney(order.shipping, 'shipping'),
    tax: positiveMoney(order.taxes, 'taxes'),
    tips: 0n,
    duties: positiveMoney(order.duties, 'duties'),
    rounding: 0n,
    total: given,
    refunds: refundsOf(order, given, options),
  };
  const paid = partlyPaid(readingOf(sale, order), open, notes);
  return toOrder(withoutGiftCards(paid, options, notes), options, notes);
}

function incomplete(field: string, message: string) {
  return hold('incomplete_source', field, message);
}

function lineOf(row: CsvRow, index: number): SoldLine {
  const quantity = quantityOf(row['lineitem quantity'], 'lineitem quantity');
  if (quantity < 0n) throw hold('negative_quantity', 'lineitem quantity', 'A quantity is negative.');
  const price = requiredMoney(row['lineitem price'], 'lineitem price');
  if (price < 0n) throw hold('bad_money', 'lineitem price', 'A price is negative.');
  return {
    id: String(index + 1),
    quantity,
    price,
    discount: positiveMoney(row['lineitem discount'], 'lineitem discount'),
    sku: label(row['lineitem sku']),
    productId: undefined,
    title: title(row['lineitem name']),
  };
}

/** The gateway of Shopify for tests; the export says of no other order that it is a test. */
function isBogus(method: string | undefined): boolean {
  return /\bbogus\b/i.test(method ?? '');
}

/** What is open of an order that was paid and then edited upwards, and is no deposit. */
function openPart(order: CsvRow, given: bigint, options: ConversionOptions): bigint {
  const status = (order['financial status'] ?? '').toLowerCase();
  const open = readMicros(order['outstanding balance']) ?? 0n;
  const isDeposit = !isOpen(order['payment terms name']);
  if (status !== 'partially_paid' || isDeposit || countsWhole(status, options)) return 0n;
  return open > 0n && open < given ? open : 0n;
}

/**
 * Whether prices include tax is the reading in which the order adds up. A discount of shipping may be part of the discount
 * amount although the shipping is given without it: then the subtotal says what was taken off the goods.
 */
function readingOf(sale: Sale, order: CsvRow): Sale {
  const subtotal = isOpen(order.subtotal) ? undefined : plain(order.subtotal, 'subtotal');
  const ofGoods = subtotal === undefined ? -1n : total(sale.lines.map(netOf)) - subtotal;
  const discounts = [sale.discounts, ...(ofGoods >= 0n && ofGoods < sale.discounts ? [ofGoods] : [])];
  // Duties may be part of the prices, too.
  const duties = sale.duties > 0n ? [sale.duties, 0n] : [0n];
  const readings = duties.flatMap((due) =>
    discounts.flatMap((one) =>
      [false, true].map((taxesIncluded) => ({ ...sale, taxesIncluded, discounts: one, duties: due })),
    ),
  );
  return readings.find((reading) => residualOf(reading) === 0n) ?? sale;
}

/**
 * An export tells how much was refunded and not when; of an order that was cancelled in full it is the day of that. A shop that
 * counts refunds on the day of their order needs no other.
 */
function refundsOf(order: CsvRow, given: bigint, { refundsOn }: ConversionOptions): SaleRefund[] {
  const refunded = positiveMoney(order['refunded amount'], 'refunded amount');
  if (refunded === 0n && !(order['financial status'] ?? '').toLowerCase().includes('refunded')) return [];
  const isOfOrder = refundsOn === 'order_day' && refunded > 0n;
  if (!isOfOrder && (isOpen(order['cancelled at']) || refunded !== given)) {
    const message = 'The export does not tell when the refund was made; take the order from the API or a webhook.';
    throw hold('refund_date_missing', 'refunded amount', message);
  }
  const none = { tax: 0n, shipping: 0n, giftCard: 0n, storeCredit: false, lines: [] };
  const column = isOfOrder ? 'created at' : 'cancelled at';
  return [{ id: 'csv', at: firstDate([column, order[column]]), total: refunded, ...none }];
}

function withoutGiftCards(sale: Sale, options: ConversionOptions, notes: Notes): Sale {
  const lines = sale.lines.filter(({ sku }) => !isGiftCardSku(options, sku));
  if (lines.length === sale.lines.length) return sale;
  if (lines.length === 0) {
    throw hold('gift_card_sale', 'lineitem sku', 'Only a gift card was sold: it is owed and not earned.');
  }
  notes.add('gift_card_line_left_out');
  const value = total(sale.lines.filter((line) => !lines.includes(line)).map(netOf));
  // Which part of a partial refund was the card is not known.
  if (sale.refunds.some((refund) => refund.total !== sale.total)) {
    const message = 'An order with a gift card was refunded in part: what of it was the card is not told.';
    throw hold('refund_date_missing', 'refunded amount', message);
  }
  return {
    ...sale,
    lines,
    total: sale.total - value,
    refunds: sale.refunds.map((refund) => ({ ...refund, total: refund.total - value })),
  };
}
