/** What a counted order is: the first one of its customer, a later one, or of no customer that is known. */
export const CUSTOMER_KINDS = ['new', 'returning', 'unknown'] as const;
export type CustomerKind = (typeof CUSTOMER_KINDS)[number];
