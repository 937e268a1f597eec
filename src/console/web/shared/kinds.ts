const KINDS: Record<string, string> = {
  orders: 'Orders',
  spend: 'Ad spend',
  product_costs: 'Product costs',
  order_costs: 'Costs of orders',
  rates: 'Exchange rates',
  expenses: 'Expenses',
  gateway_fees: 'Payment fees',
  events: 'Browser events',
};

/** The name of a kind of push; one that is not known here is shown as the API writes it. */
export function kindLabel(kind: string): string {
  return KINDS[kind] ?? kind;
}
