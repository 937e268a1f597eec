/**
 * The columns of rows that were queued before these travelled with the rows, in their order: the jobs of the schemas 1 to 4,
 * see `queue/read-job.ts`. Nothing is ever added here.
 */

const ORDERS = `shop_id, order_id, version, is_deleted, order_name, placed_at, placed_day,
  updated_at, currency, status, is_test, customer_id, discounts, shipping, tax, taxes_included, tips, duties,
  rounding_adjustment, total, payment_gateway, gateway_fee, subscription_id,
  line_items.line_id, line_items.quantity, line_items.unit_price, line_items.sku, line_items.line_discount,
  line_items.unit_cost, line_items.product_id, line_items.title,
  refunds.refund_id, refunds.refunded_at, refunds.refunded_day, refunds.total, refunds.tax_refund,
  refunds.shipping_refund, refunds.gateway_fee_refund, refunds.gift_card_refund, refunds.store_credit,
  refund_lines.refund_id, refund_lines.line_id, refund_lines.quantity, refund_lines.restock`;

const ORDER_DAYS = `shop_id, day, order_id, version, is_deleted, placed_day, orders,
  revenue, refunds, gateway_fees, has_gateway_fee, has_tax, payment_gateway,
  lines.sku, lines.quantity, lines.unit_cost, lines.restock,
  refund_list.refund_id, refund_list.refunded_at, refund_list.total, refund_list.tax_refund,
  refund_list.shipping_refund, refund_list.gateway_fee_refund, refund_list.gift_card_refund, refund_list.store_credit,
  refund_lines.refund_id, refund_lines.line_id, refund_lines.quantity, refund_lines.restock, refund_lines.sku,
  refund_lines.unit_price, refund_lines.unit_cost`;

const AD_SPEND = `shop_id, event_date, channel, currency, campaign_id, adset_id, ad_id,
  campaign_name, adset_name, ad_name, spend, impressions, clicks, conversions, conversion_value, version,
  order_channel`;

const AD_SPEND_CLEARS = 'shop_id, event_date, channel, currency, version';

const UNDATED_PRODUCT_COSTS = 'shop_id, sku, effective_from, unit_cost, currency, version, is_deleted';
const PRODUCT_COSTS = 'shop_id, sku, effective_from, is_epoch_day, unit_cost, currency, version, is_deleted';

const EVENTS_WITHOUT_EVIDENCE = `shop_id, received_at, anon_id, session_hint, consent, sdk, store_client_id,
  event_id, precedence, type, ts, order_id, checkout_token, email_hash, product_id, sku, quantity,
  url, url_host, url_path, utm_source, utm_medium, utm_campaign, utm_term, utm_content, utm_id,
  click_ids.param, click_ids.network, click_ids.value, referrer, referrer_host, referrer_class, channel`;
const EVENTS = `${EVENTS_WITHOUT_EVIDENCE}, evidence`;

const REJECTIONS = `shop_id, received_at, batch_id, position, kind, item_id, codes,
  errors, payload, is_cut, key_last4, request_id`;

/** Of the schemas 1 to 4. */
const EARLIER_COLUMNS = {
  orders: [ORDERS, ORDERS, ORDERS, ORDERS],
  order_days: [ORDER_DAYS, ORDER_DAYS, ORDER_DAYS, ORDER_DAYS],
  ad_spend: [AD_SPEND, AD_SPEND, AD_SPEND, AD_SPEND],
  ad_spend_clears: [AD_SPEND_CLEARS, AD_SPEND_CLEARS, AD_SPEND_CLEARS, AD_SPEND_CLEARS],
  product_costs: [UNDATED_PRODUCT_COSTS, UNDATED_PRODUCT_COSTS, PRODUCT_COSTS, PRODUCT_COSTS],
  events: [EVENTS_WITHOUT_EVIDENCE, EVENTS_WITHOUT_EVIDENCE, EVENTS_WITHOUT_EVIDENCE, EVENTS],
  rejections: [REJECTIONS, REJECTIONS, REJECTIONS, REJECTIONS],
} as const;

export type QueuedTable = keyof typeof EARLIER_COLUMNS;

/** The columns of the rows of a job of an earlier schema; undefined from schema 5 on. */
export function earlierColumns(table: QueuedTable, schema: number): string | undefined {
  return EARLIER_COLUMNS[table][schema - 1];
}
