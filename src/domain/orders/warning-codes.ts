/** What is unlikely in an order that is taken all the same (contract, third part: "Orders"). */
export const ORDER_WARNING_CODES = [
  'refund_exceeds_quantity',
  'refund_exceeds_total',
  'tax_exceeds_total',
  'tax_refund_exceeds_tax',
  'refund_before_order',
  'fee_refund_exceeds_fee',
  'fee_exceeds_total',
] as const;

export interface OrderWarning {
  code: (typeof ORDER_WARNING_CODES)[number];
  message: string;
  field: string;
}

/** Warnings of one order, so that the answer to a batch stays small. */
export const MOST_WARNINGS = 10;
