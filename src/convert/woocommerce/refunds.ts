import { fieldsOf, type Fields } from '../../domain/fields.js';
import { absolute, formatMoney, isOpen, money as plain, ONE, quantityOf, readMicros, total } from '../amounts.js';
import { firstDate, gmt } from '../dates.js';
import { hold } from '../holds.js';
import type { Notes } from '../notes.js';
import type { ConversionOptions } from '../options.js';
import type { RefundedLine, SaleRefund } from '../sale.js';
import { fieldsIn, idOf } from '../values.js';
import { feeLineId } from './lines.js';
import { metaOf } from './meta.js';
import type { Money } from './money.js';

/** What is needed to read a refund. */
interface Sold {
  /** Ids of the lines of the item. */
  lines: ReadonlySet<string>;
  /** Ids of the lines of gift cards, whose refunds are left out too. */
  leftOut: ReadonlySet<string>;
  money: Money;
  options: ConversionOptions;
  notes: Notes;
}

/** All refunds of an order: the order lists their ids and totals, a second request returns them in full. */
export function givenRefunds(order: Fields, given: unknown): Fields[] {
  if (isOpen(order.refunds) && isOpen(given)) {
    throw hold('incomplete_source', 'refunds', 'refunds is missing; export the whole order.');
  }
  const named = fieldsIn(order.refunds);
  const told = new Map<string, Fields>();
  // Some exports have the full refunds in the order.
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

/** Compares the total that the order lists for a refund with the refund: the two responses may be of different times. */
function requireSame(id: string, said: unknown, amount: unknown): void {
  const [here, there] = [readMicros(said, 'rounded'), readMicros(amount, 'rounded')];
  if (here === null || there === null || absolute(here) === absolute(there)) return;
  const difference = formatMoney(absolute(here) - absolute(there));
  const [supplied, computed] = [formatMoney(absolute(here)), formatMoney(absolute(there))];
  const message = `The order says ${supplied} of refund ${id}, and the refund ${computed}: ${difference} is not explained.`;
  throw hold('unbalanced', 'refunds.total', message, { computed, supplied });
}

export function refundOf(refund: Fields, index: number, sold: Sold): SaleRefund[] {
  const { money, leftOut } = sold;
  const field = `refunds[${index}]`;
  if (isOpen(refund.amount)) throw hold('incomplete_source', `${field}.amount`, `${field}.amount is missing.`);
  const lines = fieldsIn(refund.line_items);
  const isLeftOut = (line: Fields): boolean => leftOut.has(refundedId(line) ?? '');
  // Amounts of a refund are the negative of what went back, also where a fee that was taken off is given back.
  const back = (line: Fields, name: 'total' | 'total_tax', read: Money = money): bigint =>
    -read(line[name], `${field}.${name}`);
  const taxed = [
    ...lines.filter((line) => !isLeftOut(line)),
    ...fieldsIn(refund.shipping_lines),
    ...fieldsIn(refund.fee_lines),
  ];
  // In the currency of the order: rounding by a rate is no difference.
  const paid = absolute(inOrder(refund.amount, `${field}.amount`));
  const cards = lines.filter(isLeftOut);
  const ofCards = total(cards.map((line) => back(line, 'total', inOrder) + back(line, 'total_tax', inOrder)));
  if (paid > 0n && paid < ofCards) {
    const kept = formatMoney(ofCards - paid);
    const message = `Of a refunded gift card ${kept} was kept: what that was for is not told.`;
    throw hold('unbalanced', `${field}.amount`, message);
  }
  const amount = paid > ofCards ? money(formatMoney(paid - ofCards), `${field}.amount`) : 0n;
  // Where no money went back, no tax did.
  const ofMoney = (parts: readonly bigint[]): bigint => (amount === 0n ? 0n : total(parts));
  const refunded: SaleRefund = {
    id: idOf(refund.id) ?? '',
    at: firstDate([`${field}.date_created_gmt`, gmt(refund.date_created_gmt)]),
    total: amount,
    tax: ofMoney(taxed.map((line) => back(line, 'total_tax'))),
    shipping: ofMoney(fieldsIn(refund.shipping_lines).map((line) => back(line, 'total'))),
    giftCard: 0n,
    storeCredit: false,
    lines: [
      ...lines.filter((line) => !isLeftOut(line)).flatMap((line) => goodsLine(line, field, sold)),
      ...fieldsIn(refund.fee_lines).flatMap((fee) => feeLine(fee, sold)),
    ],
  };
  return refunded.total === 0n && refunded.lines.length === 0 ? [] : [refunded];
}

const inOrder: Money = (value, field) => plain(value, field, 'rounded');

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
