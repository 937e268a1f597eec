import type { Order } from './wire.mjs';

export type ConvertedOrder = Order & { checkout_token?: string };

/** What only the shop knows. */
export interface ConversionOptions {
  /** Whether an order counts once it is paid, or from when it is placed. Default `paid`. */
  count?: 'paid' | 'placed';
  /** Whether a refund counts on its own day or on that of its order. Default `refund_day`. */
  refundsOn?: 'refund_day' | 'order_day';
  /** Whether refunded goods go back on sale where the platform does not say. Default false. */
  restock?: boolean;
  /** What a status of the platform means. */
  statuses?: Readonly<Record<string, Order['status']>>;
  /** SKUs of gift cards, where the platform does not mark them. */
  giftCardSkus?: readonly string[];
  /** Whether a marketplace's sub-orders count in place of their parents. Default false: the parents count. */
  subOrders?: boolean;
  /** Types of coupon that are a payment: store credit and gift cards of plugins. */
  creditCoupons?: readonly string[];
  /** What one unit of another currency is worth in that of the shop. */
  rate?: { currency: string; value: string };
  /** Currency of the shop: an order of another one is held back or converted by `rate`. */
  currency?: string;
}

/** Why an order is held back; `field` is in the platform's own names. */
export interface Hold {
  code: string;
  message: string;
  field: string;
  /** Where two sums differ: what the parts give, an exact decimal. */
  computed?: string;
  /** Where two sums differ: what the platform says. */
  supplied?: string;
}

export type Conversion = { order: ConvertedOrder; notes: string[] } | { hold: Hold };

/** What each note means, by its code. */
export declare const NOTES: Readonly<Record<string, string>>;

/** The GraphQL query whose answer tells all that a conversion needs. */
export declare const SHOPIFY_ORDERS_QUERY: string;

/** An order of Shopify's REST API, webhooks or GraphQL API. It never throws. */
export declare function convertShopify(order: unknown, options?: ConversionOptions): Conversion;

/** The lines of one order of the admin's CSV export, each by its column names in lower case. */
export declare function convertShopifyRows(
  rows: readonly Readonly<Record<string, string>>[],
  options?: ConversionOptions,
): Conversion;

/** An order of WooCommerce's REST API with the refunds of its second call. It never throws. */
export declare function convertWooCommerce(
  given: { order: unknown; refunds?: unknown },
  options?: ConversionOptions,
): Conversion;
