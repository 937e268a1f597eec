import { isFields, type Fields } from '../../domain/fields.js';
import { readMicros } from '../amounts.js';
import { unreadBy, type FieldTable } from '../unread.js';
import { FEE_KEYS } from './gateway-fee.js';
import { RATE_KEYS } from './money.js';

const LOCAL_TIMES = 'local time without its zone; the field with _gmt is read';

const LINE_ITEMS: FieldTable = {
  read: 'id, name, product_id, variation_id, sku, quantity, subtotal, total, total_tax',
  setAside: {
    'a float; subtotal and quantity give the exact price': 'price',
    'a part of total_tax, or of what was taken off': 'subtotal_tax, taxes, refund_total, refund_tax',
    'describes the line': `
      tax_class, tax_status, parent_name, image, global_unique_id, product_data, meta, bundled_by, bundled_item_title,
      bundled_items, composite_parent, composite_children`,
  },
};

const FEE_LINES: FieldTable = {
  read: 'id, name, total, total_tax',
  setAside: {
    'total says what it came to': 'amount, quantity, subtotal, subtotal_tax, taxes, price',
    'describes the fee': 'tax_class, tax_status, product_id, variation_id, sku',
  },
};

const SHIPPING_LINES: FieldTable = {
  read: 'total, total_tax',
  setAside: {
    'a part of total_tax': 'taxes',
    'describes the delivery': 'id, name, method_id, method_title, instance_id, tax_status',
  },
};

const TAX_LINES: FieldTable = {
  read: 'tax_total, shipping_tax_total',
  setAside: { 'describes the tax': 'id, rate_id, rate_code, rate_percent, label, compound, name' },
};

const PARTS = {
  line_items: LINE_ITEMS,
  fee_lines: FEE_LINES,
  shipping_lines: SHIPPING_LINES,
  tax_lines: TAX_LINES,
};

const REFUNDS: FieldTable = {
  read: 'id, amount, total, date_created_gmt',
  setAside: {
    'personal, or a text of the shop: never taken': 'reason, refunded_by, refunded_by_user',
    [LOCAL_TIMES]: 'date_created, date_modified, date_modified_gmt',
    'amount says what went back': `
      refunded_payment, discount_total, discount_tax, shipping_total, shipping_tax, cart_tax, total_tax,
      prices_include_tax, refund_type`,
    'describes the refund': 'parent_id, status, currency, version, api_refund, api_restock, coupon_lines, _links',
  },
  within: PARTS,
};

/** An order of the REST API, with the refunds of the second call. Of the addresses only the country is read. */
export const ORDER_FIELDS: FieldTable = {
  read: `
    id, number, parent_id, type, billing_period, status, currency, total, total_tax, date_created_gmt,
    date_modified_gmt, date_paid_gmt, date_paid, payment_method, customer_id, billing, shipping, created_via`,
  setAside: {
    'personal: never taken': 'customer_note, customer_ip_address, customer_user_agent, customer',
    [LOCAL_TIMES]: 'date_created, date_modified',
    'a sum of what is read in its parts': `
      discount_total, discount_tax, shipping_total, shipping_tax, cart_tax, fee_total, subtotal, total_refunded,
      total_line_items_quantity`,
    'totals of lines are always without tax': 'prices_include_tax',
    'status and date_paid_gmt say what is paid':
      'date_completed, date_completed_gmt, needs_payment, needs_processing, set_paid',
    'names another object, or describes the order': `
      version, order_key, transaction_id, cart_hash, payment_url, payment_method_title, currency_symbol,
      is_editable, store, stores, links, _links, collection, self`,
    'added by Airbyte or Singer':
      '_sdc_received_at, _sdc_extracted_at, _sdc_batched_at, _sdc_sequence, _sdc_table_version',
  },
  within: {
    ...PARTS,
    coupon_lines: {
      read: 'discount, discount_tax, discount_type, code',
      setAside: { 'describes the coupon': 'id, nominal_amount, free_shipping, name' },
    },
    gift_cards: { read: 'amount', setAside: { 'describes the card': 'id, code' } },
    refunds: REFUNDS,
  },
};

/** Of the keys that speak of money those that are read or were looked at. */
const KNOWN_KEYS = new Set([
  ...FEE_KEYS,
  ...RATE_KEYS,
  // Also in the coupons and lines.
  '_cart_discount',
  // The rate of the payout's currency: the fee and the order are not in it.
  '_stripe_exchange_rate',
]);
const OF_MONEY =
  /(^|[^a-z])(fees?|costs?|cogs|rate|tips?|gratuity|deposit|surcharge|commission|discount|credits?|gift_?cards?|dut(y|ies))([^a-z]|$)/i;

/**
 * Whether an entry of `meta_data` counts where it is not read: its key says that it is money that may count here, and its value is
 * an amount or an object. Plugins add keys without end (of visits, mails, labels), which say nothing of money.
 */
function speaksOfMoney({ key, value }: Fields): boolean {
  if (typeof key !== 'string' || KNOWN_KEYS.has(key) || !OF_MONEY.test(key)) return false;
  return isFields(value) || (readMicros(value, 'rounded') ?? 0n) !== 0n;
}

/** Fields of an order with its `refunds` that are in neither list. */
export const unreadWooCommerce = unreadBy(ORDER_FIELDS, { isMetaField: speaksOfMoney });
