import type { Order } from '../schemas/orders.js';

export type OrderStatus = Order['status'];

/** What only the shop knows. On the wire the names are snake_case (`refunds_on`, `gift_card_skus`). */
export interface ConversionOptions {
  /** Whether an order counts once it is paid, or from when it is placed. Default `paid`. */
  count?: 'paid' | 'placed';
  /** Whether a refund counts on its own day or on that of its order. Default `refund_day`. */
  refundsOn?: 'refund_day' | 'order_day';
  /** Whether refunded goods go back on sale where the platform does not say. Default false. */
  restock?: boolean;
  /** What a status of the platform means; it goes before the meaning that is built in. */
  statuses?: Readonly<Record<string, OrderStatus>>;
  /** SKUs of gift cards, where the platform does not mark them. */
  giftCardSkus?: readonly string[];
  /** Whether a marketplace's sub-orders count in place of their parents. Default false: the parents count. */
  subOrders?: boolean;
  /** Types of coupon that are a payment: store credit and gift cards of plugins. */
  creditCoupons?: readonly string[];
  /** What one unit of another currency is worth in that of the shop. */
  rate?: { currency: string; value: string };
  /** Currency of the shop, where the caller knows it: an order of another one is held back or converted by `rate`. */
  currency?: string;
}

const STATUSES: readonly unknown[] = ['paid', 'pending', 'voided'] satisfies OrderStatus[];

/** What the shop says that a status means. */
export function chosenStatus({ statuses }: ConversionOptions, status: string): OrderStatus | undefined {
  if (typeof statuses !== 'object') return undefined;
  for (const [name, meaning] of Object.entries(statuses)) {
    if (name.toLowerCase() === status && STATUSES.includes(meaning)) return meaning;
  }
  return undefined;
}

/** An order that is not paid yet counts where the shop counts what was placed. */
export function pendingStatus({ count }: ConversionOptions): OrderStatus {
  return count === 'placed' ? 'paid' : 'pending';
}

export function isGiftCardSku({ giftCardSkus }: ConversionOptions, sku: string | undefined): boolean {
  return sku !== undefined && Array.isArray(giftCardSkus) && giftCardSkus.some((one) => String(one).trim() === sku);
}

export function isCreditCoupon({ creditCoupons }: ConversionOptions, type: string | undefined): boolean {
  return type !== undefined && Array.isArray(creditCoupons) && creditCoupons.some((one) => String(one).trim() === type);
}
