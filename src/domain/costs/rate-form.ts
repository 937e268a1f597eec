/** A plain decimal of at most 12 integer and 12 fraction digits (contract: "Rates"). */
export const RATE_PATTERN = /^[0-9]{1,12}(?:\.[0-9]{1,12})?$/;

/** {@link RATE_PATTERN}, above 0. */
export const isRate = (text: string): boolean => RATE_PATTERN.test(text) && /[1-9]/.test(text);
