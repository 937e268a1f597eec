import { fieldsOf, type Fields } from '../../domain/fields.js';
import { absolute, isOpen, ONE, total } from '../amounts.js';
import { conversionOf, type Conversion } from '../conversion.js';
import { factsOf } from '../facts.js';
import { firstDate, gmt, newestDate } from '../dates.js';
import { hold, incomplete } from '../holds.js';
import type { Notes } from '../notes.js';
import { isGiftCardSku, type ConversionOptions } from '../options.js';
import type { Sale } from '../sale.js';
import { residualOf } from '../totals.js';
import { toOrder, type ConvertedOrder } from '../to-order.js';
import { currencyCode, customerId, fieldsIn, gatewayOf, idOf, label, title } from '../values.js';
import { feesOf, goodsOf } from './lines.js';
import { codesOf, creditOf } from './coupons.js';
import { gatewayFee } from './gateway-fee.js';
import { isTestPayment, metaOf } from './meta.js';
import { currencyOf, lastPlace, type Currency } from './money.js';
import { givenRefunds, refundOf } from './refunds.js';
import { requireSale, statusOf } from './status.js';

/** Without these an order may be counted twice, or as a sale that it is not. */
const NEEDED = ['id', 'status', 'currency', 'total', 'total_tax', 'line_items', 'meta_data'];

/**
 * An order of WooCommerce's REST API as an item of `POST /v1/orders`. Its refunds come from a second call of that API; an order
 * without refunds needs none. Whatever it is given, it does not throw: what does not add up is held back by name.
 */
export function convertWooCommerce(
  given: { order: unknown; refunds?: unknown },
  options: ConversionOptions = {},
): Conversion {
  const { order, refunds } = fieldsOf(given);
  return conversionOf((notes) => convert(fieldsOf(order), refunds, options, notes));
}

function convert(order: Fields, given: unknown, options: ConversionOptions, notes: Notes): ConvertedOrder {
  requireSale(order, options);
  const absent = NEEDED.filter((field) => order[field] === undefined);
  if (absent.length > 0) throw incomplete(absent);
  for (const field of ['id', 'status', 'total', 'line_items']) {
    if (isOpen(order[field])) throw hold('incomplete_source', field, `${field} is missing; export the whole order.`);
  }
  const id = idOf(order.id);
  if (id === undefined) throw hold('incomplete_source', 'id', 'id is not the id of an order.');
  const status = statusOf(order, options, notes);
  const refunds = givenRefunds(order, given);
  const own = currencyOf(order, options, notes);
  const { currency, money } = own;

  const all = goodsOf(order, money);
  const cards = all.filter(({ sku }) => isGiftCardSku(options, sku));
  const goods = all.filter((line) => !cards.includes(line));
  const fees = feesOf(order, money);
  const lines = [...goods, ...fees.lines];
  if (lines.length === 0 && cards.length > 0) {
    throw hold('gift_card_sale', 'line_items', 'Only a gift card was sold: it is owed and not earned.');
  }
  if (lines.length === 0) throw hold('no_lines', 'line_items', 'The order has no lines.');
  if (cards.length > 0) notes.add('gift_card_line_left_out');
  if (fees.lines.length > 0) notes.add('fee_as_line');
  if (fees.discount > 0n) notes.add('negative_fee_as_discount');

  const used = total(fieldsIn(order.gift_cards).map((card, i) => money(card.amount, `gift_cards[${i}].amount`)));
  if (used > 0n) notes.add('gift_card_used');
  const shipping = total(
    fieldsIn(order.shipping_lines).map((one, i) => money(one.total, `shipping_lines[${i}].total`)),
  );
  const sold = {
    lines: new Set(lines.map((line) => line.id)),
    leftOut: new Set(cards.map((line) => line.id)),
    money,
    options,
    notes,
  };
  const number = title(order.number);
  const sale: Sale = {
    id,
    name: number === id ? undefined : number,
    placedAt: firstDate(['date_created_gmt', gmt(order.date_created_gmt)]),
    updatedAt: newestDate(
      ['date_modified_gmt', gmt(order.date_modified_gmt)],
      ...refunds.map((one): [string, unknown] => ['refunds.date_created_gmt', gmt(one.date_created_gmt)]),
    ),
    currency,
    status,
    isTest: isTestPayment(order),
    customerId: customerId(order.customer_id),
    lines,
    taxesIncluded: false,
    gateway: gatewayOf(order.payment_method),
    gatewayFee: gatewayFee(order, own),
    subscriptionId: label(metaOf(order, '_subscription_renewal')),
    checkoutToken: undefined,
    facts: factsOf(
      {
        countries: [fieldsOf(order.shipping).country, fieldsOf(order.billing).country],
        salesChannel: order.created_via,
        discountCodes: codesOf(order, options),
        tags: [],
      },
      notes,
    ),
    discounts: fees.discount + (shipping < 0n ? -shipping : 0n),
    shipping: shipping < 0n ? 0n : shipping,
    tax: money(order.total_tax, 'total_tax') - total(cards.map(({ tax }) => tax)),
    tips: 0n,
    duties: 0n,
    rounding: 0n,
    total: money(order.total, 'total') + used - total(cards.map(({ net, tax }) => net + tax)),
    refunds: refunds.flatMap((refund, i) => refundOf(refund, i, sold)),
  };
  return toOrder(rounded(creditOf(sale, order, money, options, notes), order, own, notes), options, notes);
}

/** WooCommerce rounds every part: what is left is rounding up to half of the last place for each of them. */
function rounded(sale: Sale, order: Fields, { money }: Currency, notes: Notes): Sale {
  const residual = residualOf(sale) / ONE;
  if (residual === 0n) return sale;
  const lists = ['line_items', 'fee_lines', 'shipping_lines', 'tax_lines'].map((name) => fieldsIn(order[name]));
  const parts = BigInt(lists.flat().length);
  // By a rate each amount is rounded once more, to a millionth.
  const byRate = sale.currency === currencyCode(order.currency) ? 0n : parts + 3n;
  if (absolute(residual) > (parts * money(lastPlace(order), 'total')) / 2n + byRate) return sale;
  notes.add('rounding_residual');
  return residual > 0n ? { ...sale, rounding: residual } : { ...sale, discounts: sale.discounts - residual };
}
