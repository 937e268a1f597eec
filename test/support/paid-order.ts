/** An order of one mug for 10 EUR, paid on 1 March 2026. */
export const paidOrder = (order_id: string, fields: object = {}) => ({
  order_id,
  placed_at: '2026-03-01T12:00:00Z',
  currency: 'EUR',
  status: 'paid',
  line_items: [{ line_id: '1', sku: 'MUG', quantity: '1', unit_price: '10' }],
  total: '10',
  ...fields,
});
