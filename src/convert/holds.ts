/** Why an order is held back: it would be counted wrongly, and the shop or its export has to say more. */
export type HoldCode =
  | 'sum_residual'
  | 'query_incomplete'
  | 'incomplete_source'
  | 'refunds_missing'
  | 'refund_date_missing'
  | 'gift_card_sale'
  | 'draft'
  | 'unknown_status'
  | 'no_lines'
  | 'all_lines_removed'
  | 'bad_money'
  | 'bad_date'
  | 'negative_total'
  | 'negative_quantity'
  | 'bulk_orphan'
  | 'other_currency'
  | 'too_many_lines';

/** What is reported of an order that is held back; `field` is in the platform's own names. */
export interface Hold {
  code: HoldCode;
  message: string;
  field: string;
}

/** Ends the conversion of one order; it never leaves this folder. */
export class HoldError extends Error {
  override readonly name = 'HoldError';
  constructor(readonly hold: Hold) {
    super(hold.message);
  }
}

export function hold(code: HoldCode, field: string, message: string): HoldError {
  return new HoldError({ code, message, field });
}
