import type { HOLD_CODES } from '../error-catalogue.js';

/** Why an order is held back: it would be counted wrongly, and the shop or its export has to say more. */
export type HoldCode = (typeof HOLD_CODES)[number];

/** What is reported of an order that is held back; `field` is in the platform's own names. */
export interface Hold {
  code: HoldCode;
  message: string;
  field: string;
  /** Where two sums differ: what the parts give, an exact decimal. */
  computed?: string;
  /** Where two sums differ: what the platform says. */
  supplied?: string;
}

/** Ends the conversion of one order; it never leaves this folder. */
export class HoldError extends Error {
  override readonly name = 'HoldError';
  constructor(readonly hold: Hold) {
    super(hold.message);
  }
}

export function hold(
  code: HoldCode,
  field: string,
  message: string,
  sums?: Required<Pick<Hold, 'computed' | 'supplied'>>,
): HoldError {
  return new HoldError({ code, message, field, ...sums });
}

/** Fields that were not asked for, or not wholly, by their names in the answer. */
export function incomplete(fields: readonly string[], why?: string): HoldError {
  const names = fields.join(', ');
  const verb = fields.length === 1 ? 'is' : 'are';
  const reason = why ?? `${fields.length === 1 ? 'it was' : 'they were'} not asked for`;
  return hold('query_incomplete', names, `${names} ${verb} not whole: ${reason}; ask for all that the guide names.`);
}
