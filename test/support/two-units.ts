/** A line of two units of the product `A`. */
export const line = (fields: Record<string, unknown> = {}) => ({
  line_id: '1',
  quantity: '2',
  unit_price: '50',
  sku: 'A',
  ...fields,
});

/** An order of them for 100 EUR, on 1 March 2026. */
export const order = (id: string, fields: Record<string, unknown> = {}) => ({
  order_id: id,
  placed_at: '2026-03-01T12:00:00Z',
  currency: 'EUR',
  status: 'paid',
  line_items: [line()],
  total: '100',
  ...fields,
});
