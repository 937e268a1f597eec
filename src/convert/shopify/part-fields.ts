import type { FieldTable } from '../unread.js';

const NAMES = 'admin_graphql_api_id, __typename, __parent_id';

const LINE_ITEMS: FieldTable = {
  read: `
    id, sku, title, name, product_id, product, gift_card, quantity, current_quantity, price, discount_allocations,
    tax_lines, tip`,
  setAside: {
    'texts of the buyer: never taken': 'properties, custom_attributes',
    'a sum of what is read in its parts': `
      total_discount, discounted_total, discounted_unit_price, original_total, pre_tax_price,
      discounted_unit_price_after_all_discounts, unfulfilled_discounted_total, unfulfilled_original_total,
      current_total, duties, applied_discount`,
    'units that were refunded are in the refunds': 'refundable_quantity, unfulfilled_quantity',
    'delivery changes no amount': `
      fulfillable_quantity, fulfillment_service, fulfillment_status, non_fulfillable_quantity, grams, weight,
      requires_shipping, origin_location, destination_location, restockable, variant_inventory_management`,
    'products are joined by sku and product_id; their costs are sent on their own':
      'variant, variant_id, variant_title, vendor, product_exists, image, merchant_editable',
    'describes the line': `
      taxable, attributed_staffs, staff_member, contract, selling_plan, line_item_group, sales_line_item_group_id,
      parent_line_item_id, bundle_components, ${NAMES}`,
  },
};

const SHIPPING_LINES: FieldTable = {
  read: 'price, discounted_price, discount_allocations, is_removed',
  setAside: {
    'personal: never taken': 'phone',
    'a part of total_tax': 'tax_lines',
    'what an edit left is in the current total': 'current_discounted_price',
    'describes the delivery': `
      id, title, code, source, carrier_identifier, delivery_category, custom, shipping_rate_handle,
      requested_fulfillment_service, requested_fulfillment_service_id, validation_context, ${NAMES}`,
  },
};

const TRANSACTIONS: FieldTable = {
  read: 'kind, status, gateway, amount, currency',
  setAside: {
    'personal: never taken': `
      payment_details, receipt, receipt_json, account_number, authorization, user, user_id, message`,
    'the order says whether it is a test, and how cash was rounded': 'test, amount_rounding',
    'amounts are those of the shop’s currency':
      'currency_exchange_adjustment, settlement_currency, settlement_currency_rate, currency_code',
    'describes the payment': `
      id, order_id, parent_id, parent_transaction, created_at, processed_at, authorization_code,
      authorization_expires_at, device, device_id, location, location_id, error_code, source_name,
      formatted_gateway, manual_payment_gateway, manually_capturable, multi_capturable, payment_icon, payment_id,
      payments_refund_attributes, total_unsettled, maximum_refundable, ${NAMES}`,
  },
};

const REFUNDS: FieldTable = {
  read: 'id, created_at, processed_at',
  setAside: {
    'personal: never taken': 'note, user, user_id, staff_member',
    'its money is that of its transactions':
      'total_refunded, duties, refund_duties, total_duties, additional_fees, return, total_refund',
    'each line says whether it is restocked': 'restock',
    'describes the refund': `order, order_id, updated_at, legacy_resource_id, ${NAMES}`,
  },
  within: {
    refund_line_items: {
      read: 'line_item_id, line_item, quantity, restock_type, subtotal, total_tax',
      setAside: {
        'subtotal and total_tax say what it is worth': 'price',
        'describes the line': `id, location, location_id, restocked, ${NAMES}`,
      },
    },
    refund_shipping_lines: {
      read: 'subtotal_amount, tax_amount',
      setAside: { 'describes the line': `id, shipping_line, shipping_line_id, ${NAMES}` },
    },
    order_adjustments: {
      read: 'kind, amount, tax_amount',
      setAside: { 'describes the adjustment': `id, reason, order_id, refund_id, ${NAMES}` },
    },
    transactions: TRANSACTIONS,
  },
};

/** Lists of an order with fields of their own. */
export const PARTS = { line_items: LINE_ITEMS, shipping_lines: SHIPPING_LINES, refunds: REFUNDS };
