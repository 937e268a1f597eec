/** The coverage of a range without orders. */
export const NO_COVERAGE = {
  cogs_complete: null,
  gateway_fee_actual: null,
  tax_present: null,
  fulfillment_known: null,
  orders: 0,
  orders_without_cost: 0,
  products_without_cost: 0,
  orders_fee_estimated: 0,
  orders_without_fee: 0,
  orders_without_tax: 0,
  orders_without_fulfillment: 0,
  refunds_without_tax: 0,
};
