/** Whose orders they are, as `customer` of `GET /v1/orders` has it. */
export const CUSTOMER_KINDS = [
  { kind: 'new', label: 'First orders' },
  { kind: 'returning', label: 'Later orders' },
  { kind: 'unknown', label: 'Without a customer' },
] as const;
