import { fieldsOf, type Fields } from '../../domain/fields.js';
import { money as plain, total } from '../amounts.js';
import { conversionOf, type Conversion } from '../conversion.js';
import { firstDate, newestDate } from '../dates.js';
import { factsOf } from '../facts.js';
import { hold } from '../holds.js';
import type { Notes } from '../notes.js';
import type { ConversionOptions } from '../options.js';
import { toOrder, type ConvertedOrder } from '../to-order.js';
import { customerId, fieldsIn, idOf, label, listOf, title } from '../values.js';
import { unwrapped } from '../unwrapped.js';
import { requireWholeOrder, requireWholeQuery } from './complete.js';
import { cashRounded } from './cash-rounding.js';
import { applyEdits } from './edits.js';
import type { ShopifySale } from './shopify-sale.js';
import { leaveOutGiftCards } from './gift-cards.js';
import { gatewayIn } from './gateway.js';
import { isGraphql, restOrder } from './graphql.js';
import { linesOf } from './lines.js';
import { shopMoney, type ShopMoney } from './money.js';
import { refundsOf } from './refunds.js';
import { openPart, partlyPaid, statusOf } from './status.js';

/**
 * An order of Shopify as an item of `POST /v1/orders`: of the REST API, a webhook or the GraphQL API. Whatever it is given, it
 * does not throw: what does not add up is held back by name.
 */
export function convertShopify(order: unknown, options: ConversionOptions = {}): Conversion {
  return conversionOf((notes) => convert(unwrapped(order), options, notes));
}

function convert(given: Fields, options: ConversionOptions, notes: Notes): ConvertedOrder {
  if ([given.id, given.admin_graphql_api_id].some((id) => typeof id === 'string' && id.includes('/DraftOrder/'))) {
    throw hold('draft', 'id', 'The order is a draft: it was never placed.');
  }
  const order = wholeOrder(given);
  const money = shopMoney(order);
  const { currency } = money;
  if (options.currency !== undefined && options.currency !== currency) {
    throw hold('other_currency', 'currency', `The order is in ${currency} and the shop in ${options.currency}.`);
  }
  const sale = saleOf(order, money, options, notes);
  const paid = partlyPaid(applyEdits(sale, order, money, notes), openPart(order, money, options), notes);
  return toOrder(cashRounded(cleaned(leaveOutGiftCards(paid, notes), notes), order, money, notes), options, notes);
}

function wholeOrder(given: Fields): Fields {
  if (isGraphql(given)) {
    requireWholeQuery(given);
    return restOrder(given);
  }
  requireWholeOrder(given);
  return given;
}

function saleOf(order: Fields, money: ShopMoney, options: ConversionOptions, notes: Notes): ShopifySale {
  const id = idOf(order.id);
  if (id === undefined) throw hold('incomplete_source', 'id', 'id is not the id of an order.');
  if (typeof order.taxes_included !== 'boolean') {
    throw hold('incomplete_source', 'taxes_included', 'taxes_included must be true or false.');
  }
  const status = statusOf(order, openPart(order, money, options), options, notes);
  const lines = linesOf(order, money, options);
  if (lines.length === 0) throw hold('no_lines', 'line_items', 'The order has no lines.');
  const price = plain(money.given(order, 'total_price'), 'total_price');
  if (price < 0n) throw hold('negative_total', 'total_price', 'total_price is negative.');
  const shipping = shippingOf(order, money);
  const allocated = total(lines.map(({ discount }) => discount)) + shipping.discount;
  const discounts = money.read(order, 'total_discounts');
  const taxesIncluded = order.taxes_included;
  return {
    id,
    name: title(order.name),
    placedAt: firstDate(['processed_at', order.processed_at], ['created_at', order.created_at]),
    updatedAt: newestDate(['updated_at', order.updated_at]),
    currency: money.currency,
    status,
    isTest: order.test === true,
    customerId: customerId(fieldsOf(order.customer).id),
    lines,
    taxesIncluded,
    gateway: gatewayIn(listOf(order.payment_gateway_names)),
    gatewayFee: 0n,
    subscriptionId: undefined,
    checkoutToken: label(order.checkout_token),
    facts: factsOf(givenFacts(order), notes),
    discounts: allocated > discounts ? discounts : discounts - allocated,
    shipping: shipping.paid,
    tax: money.read(order, 'total_tax'),
    tips: money.read(order, 'total_tip_received'),
    duties: dutiesOf(order, money),
    rounding: 0n,
    total: price,
    refunds: refundsOf(order, { money, taxesIncluded, options, notes }),
  };
}

/** Of an address the country alone is read. */
function givenFacts(order: Fields) {
  return {
    countries: [order.shipping_address, order.billing_address].map((address) => fieldsOf(address).country_code),
    salesChannel: order.source_name,
    // GraphQL has a list of texts.
    discountCodes: listOf(order.discount_codes).map((one) => (typeof one === 'string' ? one : fieldsOf(one).code)),
    tags: order.tags,
  };
}

/** Duties on top of the prices, and fees that authorities take. */
function dutiesOf(order: Fields, money: ShopMoney): bigint {
  const duties = order.duties_included === true ? 0n : money.read(order, 'original_total_duties');
  return duties + money.read(order, 'original_total_additional_fees');
}

/** What was paid for shipping, and what was taken off it. */
function shippingOf(order: Fields, money: ShopMoney): { paid: bigint; discount: bigint } {
  const lines = fieldsIn(order.shipping_lines).filter((line) => line.is_removed !== true);
  const amounts = lines.map((line, i) => {
    const path = `shipping_lines[${i}].`;
    const price = money.read(line, 'price', path);
    const hasAllocations = Array.isArray(line.discount_allocations);
    const reduced = money.given(line, 'discounted_price');
    if (hasAllocations || reduced === undefined) return { price, discount: money.allocated(line, path) };
    return { price, discount: price - money.read(line, 'discounted_price', path) };
  });
  const discount = total(amounts.map((one) => one.discount));
  return { paid: total(amounts.map(({ price }) => price)) - discount, discount };
}

/** Without refunds of nothing, lines that the order does not have, and tax of money that did not go back. */
function cleaned(sale: ShopifySale, notes: Notes): ShopifySale {
  const ids = new Set(sale.lines.map(({ id }) => id));
  const refunds = sale.refunds.flatMap((refund) => {
    const lines = refund.lines.filter(({ id }) => ids.has(id));
    if (lines.length < refund.lines.length) notes.add('refund_line_unknown');
    if (refund.total === 0n && lines.length === 0) return [];
    return [refund.total === 0n ? { ...refund, lines, tax: 0n, shipping: 0n } : { ...refund, lines }];
  });
  return { ...sale, refunds };
}
