import { isFields, type Fields } from '../domain/fields.js';

/**
 * What platforms and other tools call a field of ours, by the title of the object that it is sent in: Shopify (REST and GraphQL) and
 * WooCommerce for orders, networks for spend. camelCase needs no entry.
 */
const USUAL_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Order: {
    ...each('order_id', 'id legacy_resource_id external_id order'),
    ...each('order_name', 'name number order_number'),
    ...each('placed_at', 'created_at processed_at date_created date_created_gmt date_paid ordered_at order_date date'),
    ...each('updated_at', 'date_modified date_modified_gmt modified_at'),
    ...each('currency', 'currency_code presentment_currency shop_currency'),
    ...each('status', 'financial_status display_financial_status payment_status cancelled_at'),
    ...each('is_test', 'test'),
    ...each('customer.id', 'customer_id user_id'),
    ...each('country', 'country_code shipping_country billing_country'),
    ...each('sales_channel', 'source_name created_via channel'),
    ...each('discount_codes', 'discount_code coupon_lines coupons coupon_code'),
    ...each('tags', 'tag labels'),
    ...each('line_items', 'items lines products'),
    ...each('discounts', 'total_discounts current_total_discounts total_discounts_set discount_total discount'),
    ...each('shipping', 'shipping_total total_shipping_price_set shipping_lines shipping_price'),
    ...each('tax', 'total_tax current_total_tax total_tax_set taxes tax_lines'),
    ...each('taxes_included', 'prices_include_tax tax_included'),
    ...each('tips', 'tip total_tip_received total_tip_received_set'),
    ...each('duties', 'total_duties current_total_duties_set original_total_duties_set'),
    ...each('rounding_adjustment', 'rounding total_cash_rounding_payment_adjustment_set'),
    ...each('total', 'total_price current_total_price total_price_set current_total_price_set amount grand_total'),
    ...each('payment_gateway', 'gateway payment_gateway_names payment_method payment_method_title'),
    ...each('gateway_fee', 'fee payment_fee transaction_fee'),
    ...each('fulfillment_cost', 'shipping_cost fulfilment_cost'),
    ...each('refunds', 'refund order_refunds'),
    ...each('deleted', 'deleted_at'),
  },
  LineItem: {
    ...each('line_id', 'id'),
    ...each('quantity', 'qty'),
    ...each('unit_price', 'price original_unit_price original_unit_price_set price_set'),
    ...each('line_discount', 'total_discount total_discount_set discount discounts'),
    ...each('unit_cost', 'cost cost_price cogs'),
    ...each('title', 'name product_title product_name'),
    ...each('sku', 'variant_sku'),
  },
  Refund: {
    ...each('refund_id', 'id'),
    ...each('refunded_at', 'created_at processed_at date_created date_created_gmt date'),
    ...each('total', 'amount total_refunded total_refunded_set'),
    ...each('tax_refund', 'tax total_tax'),
    ...each('shipping_refund', 'shipping shipping_total'),
    ...each('line_items', 'refund_line_items lines items'),
  },
  RefundLine: {
    ...each('line_id', 'id line_item_id'),
    ...each('quantity', 'qty'),
    ...each('restock', 'restock_type restocked'),
  },
  SpendRow: {
    ...each('event_date', 'date day date_start segments_date'),
    ...each('spend', 'amount cost amount_spent'),
    ...each('channel', 'platform source network'),
    ...each('campaign_name', 'campaign'),
    ...each('currency', 'currency_code account_currency'),
  },
  ProductCostInput: {
    ...each('unit_cost', 'cost price cost_price cogs'),
    ...each('effective_from', 'from valid_from start_date date'),
    ...each('sku', 'product_sku variant_sku'),
  },
  OrderCostInput: {
    ...each('order_id', 'id name order_name order_number order'),
    ...each('fulfillment_cost', 'shipping_cost fulfilment_cost cost'),
    ...each('gateway_fee', 'fee payment_fee transaction_fee'),
  },
  ExpenseInput: {
    ...each('external_id', 'id'),
    ...each('started_on', 'start_date starts_on from'),
    ...each('ended_on', 'end_date ends_on to'),
  },
  SourceInput: {
    ...each('timezone', 'time_zone iana_timezone tz'),
    ...each('shop_domain', 'domain myshopify_domain url'),
    ...each('currency', 'currency_code'),
  },
};

function each(ours: string, theirs: string): Record<string, string> {
  return Object.fromEntries(theirs.split(' ').map((name) => [name, ours]));
}

/** What says who bought: no part of any request. */
const PERSONAL = new Set(
  `email contact_email customer_email billing_email phone customer_phone first_name last_name full_name customer_name address
   billing billing_address shipping_address default_address ip browser_ip customer_ip_address client_ip client_details
   customer_user_agent user_agent customer_note note note_attributes company`.split(/\s+/),
);

/** What each of them means that means one thing wherever it is sent. */
const ANYWHERE = new Map<string, string | null>();
for (const names of Object.values(USUAL_NAMES)) {
  for (const [name, ours] of Object.entries(names)) {
    ANYWHERE.set(name, ANYWHERE.has(name) && ANYWHERE.get(name) !== ours ? null : ours);
  }
}

/**
 * The message of a field that there is not.
 *
 * @param field its path as messages show it
 * @param owner schema of the object that it was sent in; absent: not known
 */
export function unknownFieldMessage(field: string, name: string, owner?: Fields): string {
  const own = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  if (PERSONAL.has(own)) {
    return `${field} is never taken: it says who bought, and nothing personal is kept; remove it.`;
  }
  const ours = own !== name && has(owner?.properties, own) ? own : usualName(own, owner);
  if (ours === null) return `${field} is not a field of this request; remove it.`;
  return `${field} is not a field of this request; it is called ${ours} here.`;
}

function usualName(name: string, owner: Fields | undefined): string | null {
  if (owner === undefined) return ANYWHERE.get(name) ?? null;
  const names = typeof owner.title === 'string' && has(USUAL_NAMES, owner.title) ? USUAL_NAMES[owner.title] : undefined;
  return names !== undefined && has(names, name) ? (names[name] ?? null) : null;
}

const has = (of: unknown, name: string): boolean => isFields(of) && Object.hasOwn(of, name);
