import type { Fields } from '../../domain/fields.js';
import { ONE, quantityOf } from '../amounts.js';
import { hold } from '../holds.js';
import type { SoldLine } from '../sale.js';
import { fieldsIn, idOf, label, title } from '../values.js';
import type { Money } from './money.js';

/** A line of goods with what it takes out of the order where it is left out. */
export interface WooLine extends SoldLine {
  /** Without tax. */
  net: bigint;
  tax: bigint;
}

export function goodsOf(order: Fields, money: Money): WooLine[] {
  return fieldsIn(order.line_items).flatMap((line, i) => lineOf(line, `line_items[${i}]`, money));
}

function lineOf(line: Fields, field: string, money: Money): WooLine[] {
  const id = idOf(line.id);
  if (id === undefined) throw hold('incomplete_source', `${field}.id`, `${field}.id is missing.`);
  const quantity = quantityOf(line.quantity, `${field}.quantity`);
  if (quantity < 0n) throw hold('negative_quantity', `${field}.quantity`, `${field}.quantity is negative.`);
  const net = money(line.total, `${field}.total`);
  const tax = money(line.total_tax, `${field}.total_tax`);
  const subtotal = money(line.subtotal ?? line.total, `${field}.subtotal`);
  if (net < 0n || subtotal < 0n) throw hold('bad_money', `${field}.total`, `${field} has a negative amount.`);
  // Zero pieces of nothing, which plugins leave behind; zero pieces for money don't add up and are held back for that.
  if (quantity === 0n) return [];
  const listed = subtotal > net ? subtotal : net;
  const price = priceOf(listed, quantity);
  return [
    {
      id,
      quantity,
      price,
      discount: (price * quantity) / ONE - net,
      sku: label(line.sku),
      productId: idOf(line.variation_id) ?? idOf(line.product_id),
      title: title(line.name),
      net,
      tax,
    },
  ];
}

/** The least price whose product with the quantity has six decimals and is not below the amount. */
export function priceOf(amount: bigint, quantity: bigint): bigint {
  const step = ONE / divisor(quantity, ONE);
  const least = (amount * ONE + quantity - 1n) / quantity;
  return ((least + step - 1n) / step) * step;
}

function divisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : divisor(b, a % b);
}

/** What the buyer paid on top, as lines without a cost, and what was taken off. */
export function feesOf(order: Fields, money: Money): { lines: SoldLine[]; discount: bigint } {
  const lines: SoldLine[] = [];
  let discount = 0n;
  fieldsIn(order.fee_lines).forEach((fee, i) => {
    const price = money(fee.total, `fee_lines[${i}].total`);
    if (price < 0n) discount -= price;
    if (price <= 0n) return;
    const id = feeLineId(fee.id);
    if (id === undefined) throw hold('incomplete_source', `fee_lines[${i}].id`, `fee_lines[${i}].id is missing.`);
    const none = { sku: undefined, productId: undefined };
    lines.push({ id, quantity: ONE, price, discount: 0n, ...none, title: title(fee.name), isFree: true });
  });
  return { lines, discount };
}

export function feeLineId(id: unknown): string | undefined {
  const known = idOf(id);
  return known === undefined ? undefined : label(`fee-${known}`);
}
