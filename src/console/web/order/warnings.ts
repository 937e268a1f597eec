import type { OrderDetail } from '../../../schemas/order-detail.js';

type Code = NonNullable<OrderDetail['warnings']>[number]['code'];

/** What a warning says to the owner of the shop. */
export const WARNINGS: Readonly<Record<Code, string>> = {
  refund_exceeds_total: 'More was refunded than was paid.',
  refund_exceeds_quantity: 'More units came back than were sold.',
  refund_before_order: 'A refund is older than the order.',
  tax_exceeds_total: 'The tax is more than the order.',
  tax_refund_exceeds_tax: 'More tax was refunded than the order had.',
  fee_exceeds_total: 'The payment fee is more than the order.',
  fee_refund_exceeds_fee: 'More of the payment fee came back than was paid.',
};
