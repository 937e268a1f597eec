import type { HOLD_CODES } from '../error-catalogue.js';

/** Why an order is held back: it would be counted wrongly, and the shop or its export has to say more. */
export type HoldCode = (typeof HOLD_CODES)[number];

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
