import type { Order } from '../schemas/orders.js';
import { fits, formatMoney, formatQuantity } from './amounts.js';
import type { SaleFacts } from './facts.js';
import { hold } from './holds.js';
import { boundLines } from './merge-lines.js';
import type { Notes } from './notes.js';
import type { ConversionOptions } from './options.js';
import type { Sale, SaleRefund, SoldLine } from './sale.js';
import { residualHold, residualOf } from './totals.js';

/** An item of `POST /v1/orders`. */
export type ConvertedOrder = Order & { checkout_token?: string };

/** The item of a sale that adds up; zero, false, empty and unknown fields are left out. */
export function toOrder(given: Sale, options: ConversionOptions, notes: Notes): ConvertedOrder {
  if (given.total < 0n) throw hold('negative_total', 'total', `The total is negative: ${formatMoney(given.total)}.`);
  if (residualOf(given) !== 0n) throw residualHold(given);
  const sale = boundLines(given, notes);
  requireFit(sale);
  return {
    order_id: sale.id,
    ...optional('order_name', sale.name),
    placed_at: sale.placedAt,
    ...optional('updated_at', sale.updatedAt),
    currency: sale.currency,
    status: sale.status,
    ...(sale.isTest && { is_test: true }),
    ...(sale.customerId !== undefined && { customer: { id: sale.customerId } }),
    ...factFields(sale.facts),
    line_items: sale.lines.map(lineItem),
    ...amount('discounts', sale.discounts),
    ...amount('shipping', sale.shipping),
    tax: formatMoney(sale.tax),
    taxes_included: sale.taxesIncluded,
    ...amount('tips', sale.tips),
    ...amount('duties', sale.duties),
    ...amount('rounding_adjustment', sale.rounding),
    total: formatMoney(sale.total),
    ...optional('payment_gateway', sale.gateway),
    ...amount('gateway_fee', sale.gatewayFee),
    ...optional('subscription_id', sale.subscriptionId),
    ...optional('checkout_token', sale.checkoutToken),
    ...(sale.refunds.length > 0 && { refunds: sale.refunds.map((one) => refundItem(one, sale, options)) }),
  };
}

function factFields({ country, salesChannel, discountCodes, tags }: SaleFacts): Partial<Order> {
  return {
    ...optional('country', country),
    ...optional('sales_channel', salesChannel),
    ...(discountCodes.length > 0 && { discount_codes: [...discountCodes] }),
    ...(tags.length > 0 && { tags: [...tags] }),
  };
}

function lineItem(line: SoldLine): Order['line_items'][number] {
  return {
    line_id: line.id,
    quantity: formatQuantity(line.quantity),
    unit_price: formatMoney(line.price),
    ...optional('sku', line.sku),
    ...amount('line_discount', line.discount),
    ...(line.isFree === true && { unit_cost: '0' }),
    ...optional('product_id', line.productId),
    ...optional('title', line.title),
  };
}

function refundItem(refund: SaleRefund, sale: Sale, options: ConversionOptions): NonNullable<Order['refunds']>[number] {
  const { lines } = refund;
  return {
    refund_id: refund.id,
    refunded_at: options.refundsOn === 'order_day' ? sale.placedAt : refund.at,
    total: formatMoney(refund.total),
    ...amount('tax_refund', refund.tax),
    ...amount('shipping_refund', refund.shipping),
    ...amount('gift_card_refund', refund.giftCard),
    ...(refund.storeCredit && { store_credit: true }),
    ...(lines.length > 0 && {
      line_items: lines.map(({ id, quantity, restock }) => ({
        line_id: id,
        quantity: formatQuantity(quantity),
        restock,
      })),
    }),
  };
}

function amount<Name extends string>(name: Name, micros: bigint): Partial<Record<Name, string>> {
  return micros === 0n ? {} : only(name, formatMoney(micros));
}

function optional<Name extends string>(name: Name, value: string | undefined): Partial<Record<Name, string>> {
  return value === undefined ? {} : only(name, value);
}

function only<Name extends string>(name: Name, value: string): Partial<Record<Name, string>> {
  const field: Partial<Record<Name, string>> = {};
  field[name] = value;
  return field;
}

/** What the wire could not carry is held back here, whatever its way. */
function requireFit(sale: Sale): void {
  const { lines, refunds } = sale;
  const amounts: [string, bigint][] = [
    ...(['discounts', 'shipping', 'tax', 'tips', 'duties', 'rounding', 'total', 'gatewayFee'] as const).map(
      (name): [string, bigint] => [name, sale[name]],
    ),
    ...lines.flatMap((line, i): [string, bigint][] => [
      [`line_items[${i}].price`, line.price],
      [`line_items[${i}].quantity`, line.quantity],
      [`line_items[${i}].discount`, line.discount],
    ]),
    ...refunds.flatMap((refund, i): [string, bigint][] => [
      [`refunds[${i}].total`, refund.total],
      [`refunds[${i}].tax`, refund.tax],
      [`refunds[${i}].shipping`, refund.shipping],
      ...refund.lines.map(({ quantity }): [string, bigint] => [`refunds[${i}].line_items`, quantity]),
    ]),
  ];
  for (const [field, micros] of amounts) {
    if (micros < 0n) throw hold('bad_money', field, `${field} is negative: ${formatMoney(micros)}.`);
    if (!fits(micros)) throw hold('bad_money', field, `${field} has more than 15 digits before the point.`);
  }
}
