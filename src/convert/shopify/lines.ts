import { fieldsOf, type Fields } from '../../domain/fields.js';
import { isOpen, ONE, quantityOf, total } from '../amounts.js';
import { hold } from '../holds.js';
import { isGiftCardSku, type ConversionOptions } from '../options.js';
import type { SoldLine } from '../sale.js';
import { fieldsIn, idOf, label, title } from '../values.js';
import type { ShopMoney } from './money.js';

/** A line with what it takes along when units of it are left out. */
export interface ShopifyLine extends SoldLine {
  /** Units that are still of the order; undefined where the platform does not say. */
  current: bigint | undefined;
  tax: bigint;
  isGiftCard: boolean;
}

export function linesOf(order: Fields, money: ShopMoney, options: ConversionOptions): ShopifyLine[] {
  const lines = fieldsIn(order.line_items).flatMap((line, i): ShopifyLine[] => {
    const path = `line_items[${i}].`;
    // A tip that is a line too: it is in total_tip_received.
    if (Object.keys(fieldsOf(line.tip)).length > 0) return [];
    const quantity = quantityOf(line.quantity, `${path}quantity`);
    const current = isOpen(line.current_quantity) ? undefined : quantityOf(line.current_quantity, `${path}quantity`);
    if (quantity < 0n || (current ?? 0n) < 0n) {
      throw hold('negative_quantity', `${path}quantity`, `${path}quantity is negative.`);
    }
    const id = idOf(line.id);
    if (id === undefined) throw hold('incomplete_source', `${path}id`, `${path}id is missing.`);
    if (isOpen(money.given(line, 'price'))) {
      throw hold('incomplete_source', `${path}price`, `${path}price is missing.`);
    }
    const sku = label(line.sku);
    const read = {
      id,
      quantity,
      current,
      sku,
      price: money.read(line, 'price', path),
      discount: money.allocated(line, path),
      productId: idOf(line.product_id),
      title: title(line.title ?? line.name),
      tax: total(fieldsIn(line.tax_lines).map((tax) => money.read(tax, 'price', `${path}tax_lines.`))),
      isGiftCard: line.gift_card === true || isGiftCardSku(options, sku),
    };
    return quantity === 0n ? [] : [read];
  });
  const twice = lines.find(({ id }, i) => lines.findIndex((line) => line.id === id) !== i);
  if (twice === undefined) return lines;
  throw hold('incomplete_source', 'line_items', `Line ${twice.id} is in the order twice; export the order again.`);
}

/** What a line was sold for, without added tax. */
export function netOf(line: SoldLine): bigint {
  return (line.price * line.quantity) / ONE - line.discount;
}
