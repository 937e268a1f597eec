import { fieldsOf, type Fields } from '../../domain/fields.js';
import { absolute, formatMoney, isOpen, ONE, quantityOf, readMicros, total } from '../amounts.js';
import { firstDate, gmt } from '../dates.js';
import { hold } from '../holds.js';
import type { Notes } from '../notes.js';
import type { ConversionOptions } from '../options.js';
import type { RefundedLine, SaleRefund } from '../sale.js';
import { fieldsIn, idOf } from '../values.js';
import { feeLineId } from './lines.js';
import { metaOf } from './meta.js';
import type { Money } from './money.js';

/** What a refund is read against. */
interface Sold {
  /** Lines of the item. */
  lines: ReadonlySet<string>;
  /** Lines that were left out, whose refunds are left out too. */
  leftOut: ReadonlySet<string>;
  money: Money;
  options: ConversionOptions;
  notes: Notes;
}

/** All refunds of an order: the order names them, a second call tells them. */
export function givenRefunds(order: Fields, given: unknown): Fields[] {
  if (isOpen(order.refunds) && isOpen(given)) {
    throw hold('incomplete_source', 'refunds', 'refunds is missing; export the whole order.');
  }
  const named = fieldsIn(order.refunds);
  const told = new Map<string, Fields>();
  // Some exports put the whole refund into the order.
  for (const refund of [...fieldsIn(given), ...named.filter((one) => !isOpen(one.date_created_gmt))]) {
    const id = idOf(refund.id);
    if (id === undefined) throw hold('incomplete_source', 'refunds', 'A refund has no id.');
    if (!told.has(id)) told.set(id, refund);
  }
  for (const { id, total: said } of named) requireSame(idOf(id) ?? '', said, told.get(idOf(id) ?? '')?.amount);
  const missing = named.find(({ id }) => !told.has(idOf(id) ?? ''));
  if (missing !== undefined || (order.status === 'refunded' && told.size === 0)) {
    const which = idOf(missing?.id);
    throw hold(
      'refunds_missing',
      'refunds',
      `The day of ${which === undefined ? 'its refund' : `refund ${which}`} is not told: give the refunds of the order too (GET /orders/<id>/refunds).`,
    );
  }
  return [...told.values()];
}

/** The order says of each refund what it came to; the answer of the second call may be of another time. */
function requireSame(id: string, said: unknown, amount: unknown): void {
  const [here, there] = [readMicros(said, 'rounded'), readMicros(amount, 'rounded')];
  if (here === null || there === null || absolute(here) === absolute(there)) return;
  const difference = formatMoney(absolute(here) - absolute(there));
  const message = `The order says ${formatMoney(absolute(here))} of refund ${id}, and the refund ${formatMoney(absolute(there))}: ${difference} is not explained.`;
  throw hold('unbalanced', 'refunds.total', message);
}

export function refundOf(refund: Fields, index: number, sold: Sold): SaleRefund[] {
  const { money, leftOut } = sold;
  const field = `refunds[${index}]`;
  if (isOpen(refund.amount)) throw hold('incomplete_source', `${field}.amount`, `${field}.amount is missing.`);
  const lines = fieldsIn(refund.line_items);
  const isLeftOut = (line: Fields): boolean => leftOut.has(refundedId(line) ?? '');
  // Amounts of a refund are the negative of what went back, also where a fee that was taken off is given back.
  const back = (line: Fields, name: 'total' | 'total_tax'): bigint => -money(line[name], `${field}.${name}`);
  const valueOf = (line: Fields): bigint => back(line, 'total') + back(line, 'total_tax');
  const taxed = [
    ...lines.filter((line) => !isLeftOut(line)),
    ...fieldsIn(refund.shipping_lines),
    ...fieldsIn(refund.fee_lines),
  ];
  const amount = absolute(money(refund.amount, `${field}.amount`)) - total(lines.filter(isLeftOut).map(valueOf));
  const refunded: SaleRefund = {
    id: idOf(refund.id) ?? '',
    at: firstDate([`${field}.date_created_gmt`, gmt(refund.date_created_gmt)]),
    total: amount > 0n ? amount : 0n,
    tax: total(taxed.map((line) => back(line, 'total_tax'))),
    shipping: total(fieldsIn(refund.shipping_lines).map((line) => back(line, 'total'))),
    giftCard: 0n,
    storeCredit: false,
    lines: [
      ...lines.filter((line) => !isLeftOut(line)).flatMap((line) => goodsLine(line, field, sold)),
      ...fieldsIn(refund.fee_lines).flatMap((fee) => feeLine(fee, sold)),
    ],
  };
  return refunded.total === 0n && refunded.lines.length === 0 ? [] : [refunded];
}

function refundedId(line: Fields): string | undefined {
  return idOf(metaOf(line, '_refunded_item_id'));
}

function goodsLine(line: Fields, field: string, { lines, options, notes }: Sold): RefundedLine[] {
  const quantity = isOpen(line.quantity) ? 0n : absolute(quantityOf(line.quantity, `${field}.quantity`));
  if (quantity === 0n) return [];
  const id = refundedId(line);
  if (id === undefined || !lines.has(id)) {
    notes.add('refund_line_unknown');
    return [];
  }
  if (options.restock === undefined) notes.add('restock_unknown');
  return [{ id, quantity, restock: options.restock === true }];
}

function feeLine(fee: Fields, { lines }: Sold): RefundedLine[] {
  const id = feeLineId(metaOf(fee, '_refunded_item_id'));
  const isMoney = readMicros(fieldsOf(fee).total, 'rounded') !== 0n;
  return id !== undefined && isMoney && lines.has(id) ? [{ id, quantity: ONE, restock: false }] : [];
}
