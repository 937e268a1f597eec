import type { SaleFacts } from './facts.js';
import type { OrderStatus } from './options.js';

/** An order as both platforms are read, before it becomes an item: amounts and quantities in millionths. */
export interface Sale {
  id: string;
  name: string | undefined;
  placedAt: string;
  updatedAt: string | undefined;
  currency: string;
  status: OrderStatus;
  isTest: boolean;
  customerId: string | undefined;
  lines: SoldLine[];
  taxesIncluded: boolean;
  gateway: string | undefined;
  gatewayFee: bigint;
  subscriptionId: string | undefined;
  checkoutToken: string | undefined;
  facts: SaleFacts;
  discounts: bigint;
  shipping: bigint;
  tax: bigint;
  tips: bigint;
  duties: bigint;
  rounding: bigint;
  total: bigint;
  refunds: SaleRefund[];
}

export interface SoldLine {
  id: string;
  quantity: bigint;
  price: bigint;
  discount: bigint;
  sku: string | undefined;
  productId: string | undefined;
  title: string | undefined;
  /** Not goods: there is nothing that it could have cost. */
  isFree?: boolean;
}

export interface SaleRefund {
  id: string;
  at: string;
  total: bigint;
  tax: bigint;
  shipping: bigint;
  giftCard: bigint;
  storeCredit: boolean;
  lines: RefundedLine[];
}

export interface RefundedLine {
  id: string;
  quantity: bigint;
  restock: boolean;
}
