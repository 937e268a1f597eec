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

export type WarningCode = (typeof ORDER_WARNING_CODES)[number];

/** The sentence of each code, without anything that was sent. */
export const WARNING_MEANINGS: Readonly<Record<WarningCode, string>> = {
  refund_exceeds_quantity: 'Refunds bring back more units of a line than were sold.',
  refund_exceeds_total: 'Refunds are more than the total of the order.',
  tax_exceeds_total: 'The tax is more than the total of the order.',
  tax_refund_exceeds_tax: 'Refunds hold more tax than the order.',
  refund_before_order: 'A refund was made before the order was placed.',
  fee_refund_exceeds_fee: 'More of the gateway fee was refunded than was charged.',
  fee_exceeds_total: 'The gateway fee is more than the total of the order.',
};

export function isWarningCode(code: string): code is WarningCode {
  return Object.hasOwn(WARNING_MEANINGS, code);
}

export interface OrderWarning {
  code: WarningCode;
  message: string;
  field: string;
}

/** Warnings of one order, so that the answer to a batch stays small. */
export const MAX_WARNINGS = 10;
