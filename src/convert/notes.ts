/** What a conversion decided that a person may want to check, by code. */
export const NOTES = {
  cancelled_paid: 'The order was cancelled after it was paid; without a refund its money was kept and counts.',
  cancelled_unpaid: 'The order was cancelled before it was paid; it counts nowhere.',
  converted_by_rate: "Amounts of another currency were converted by the order's own rate, else by the given one.",
  edited_before_payment: 'Units that were removed before they were paid are left out, with their part of the total.',
  equal_lines_merged: 'The order has more than 500 lines; equal ones were joined.',
  fact_left_out:
    'A sales channel, discount code or tag was left out: it names a person, is longer than 255 (a channel 64) characters, or is one of more than 20 codes or 50 tags.',
  fee_as_line: 'A fee that the buyer paid is a line without cost.',
  gift_card_line_left_out: 'A sold gift card is owed and not earned; its line is left out.',
  gift_card_used: 'The part that was paid by gift card is added to the total.',
  negative_fee_as_discount: 'A negative fee is counted as a discount.',
  negative_rounding_as_discount: 'The amount was rounded down; the difference is counted as a discount.',
  own_status_paid: 'The status is not one of the platform itself; the order has a payment and is taken as paid.',
  partially_paid: 'The order is paid in part; it counts once it is paid.',
  partly_paid:
    'The order was paid and then became dearer; it counts with what is paid, and what is open is a discount.',
  refund_discrepancy: 'The platform books a difference between what was calculated and what was refunded.',
  refund_in_presentment_currency:
    'A refund was paid in the currency of the buyer; it counts as the value of its lines in the currency of the shop.',
  refund_line_unknown: 'A refund names a line that the order does not have; its money counts, the line does not.',
  refund_pending: 'A refund is not paid out yet; it counts once it is.',
  refunded_unpaid: 'The order was set to refunded and never paid; it counts nowhere.',
  restock_unknown: 'Whether the goods went back on sale is not known; their cost is not taken back.',
  reversed_without_money:
    'Goods came back for less money than they are worth; their value counts as a refund on that day.',
  rounding_residual: 'The parts miss the total by what the platform rounds of them; the rest is rounding.',
} as const;

export type NoteCode = keyof typeof NOTES;

/** Collects the notes of an order: each once, in the order in which they came up. */
export interface Notes {
  add(code: NoteCode): void;
  readonly codes: NoteCode[];
}

export function createNotes(): Notes {
  const codes: NoteCode[] = [];
  return {
    codes,
    add(code) {
      if (!codes.includes(code)) codes.push(code);
    },
  };
}
