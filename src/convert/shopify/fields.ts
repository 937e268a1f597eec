import { unreadBy, type FieldTable } from '../unread.js';
import { restName } from './graphql.js';
import { PARTS } from './part-fields.js';

/**
 * An order of the REST API; fields of GraphQL have the names of REST. `price` is `price_set` too, of which the money of the shop is
 * read. Of `customer` only the id is read, and of the
 * addresses only the country.
 */
export const ORDER_FIELDS: FieldTable = {
  read: `
    id, admin_graphql_api_id, name, created_at, processed_at, updated_at, cancelled_at, test, currency,
    currency_code, financial_status, display_financial_status, payment_terms, payment_gateway_names,
    checkout_token, total_price, current_total_price, total_outstanding, total_discounts, total_refunded,
    taxes_included, total_tax, current_total_tax, total_tip_received, duties_included, original_total_duties,
    original_total_additional_fees, total_cash_rounding_payment_adjustment, total_cash_rounding_refund_adjustment,
    customer, shipping_address, billing_address, source_name, discount_codes, tags`,
  setAside: {
    'personal: never taken': `
      email, contact_email, phone, display_address,
      billing_address_matches_shipping_address, browser_ip, client_ip, client_details, customer_locale,
      buyer_accepts_marketing, customer_accepts_marketing, note, note_attributes, custom_attributes, payment_details,
      user_id, user, staff_member, order_status_url, status_page_url`,
    'visits and campaigns come from the pixel': `
      landing_site, landing_site_ref, referring_site, referrer_display_text, customer_journey,
      customer_journey_summary, landing_page_url, landing_page_display_text, referral_code, referrer_url`,
    'a sum of what is read in its parts': `
      subtotal_price, current_subtotal_price, subtotal, total_line_items_price, original_total_price,
      total_shipping_price, current_shipping_price, total_refunded_shipping, total_received, net_payment,
      current_total_discounts, current_cart_discount_amount, cart_discount_amount, refund_discrepancy,
      current_total_duties, current_total_additional_fees, tax_lines, current_tax_lines, total_price_usd,
      subtotal_line_items_quantity, current_subtotal_line_items_quantity`,
    'what was taken off is read from the allocations and total_discounts':
      'discount_applications, discount_code, discount_allocations',
    'what was paid follows from financial_status and the totals; fees of payouts are sent as costs of the order': `
      transactions, transactions_count, gateway, processing_method, payment_collection_details, total_capturable,
      capturable, fully_paid, unpaid, refundable, can_mark_as_paid`,
    'amounts are those of the shop’s currency': 'presentment_currency, presentment_currency_code',
    'the money of a return is in its refund': 'returns, return_status',
    'delivery changes no amount': `
      fulfillment_status, display_fulfillment_status, display_refund_status, fulfillments, fulfillments_count,
      fulfillment_orders, fulfillable, restockable, total_weight, current_total_weight, requires_shipping,
      shipping_line, location_id, location, physical_location, retail_location, non_fulfillable_line_items`,
    'names another object, or describes the order': `
      app, app_id, cart_token, checkout_id, client_order_id, company, confirmation_number, confirmed, closed,
      closed_at, cancel_reason, cancellation, channel_information, device_id, publication, merchant_business_entity,
      merchant_business_entity_id, merchant_of_record_app_id, number, order_number, po_number, purchasing_entity,
      reference, registered_source_url, source, source_identifier, source_url, token,
      estimated_taxes, tax_exempt, edited, has_timeline_comment, events, alerts, risk, risks, risk_level, metafield,
      metafields, localized_fields, localization_extensions, merchant_editable, merchant_editable_errors,
      legacy_resource_id, product_network, phone_number_verified, disputes, __typename, __parent_id`,
    'added by Airbyte or Singer': `
      shop_url, _sdc_received_at, _sdc_extracted_at, _sdc_batched_at, _sdc_sequence, _sdc_table_version`,
  },
  within: {
    ...PARTS,
    total_cash_rounding_adjustment: { read: 'payment, refund', setAside: { 'describes itself': '__typename' } },
  },
};

/** Fields of an order, of the REST or the GraphQL API, that are in neither list, as the order spells them. */
export const unreadShopify = unreadBy(ORDER_FIELDS, { nameOf: (name) => restName(name, 1).replace(/_set$/, '') });
