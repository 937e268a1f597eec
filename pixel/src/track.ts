import type { Draft, EventProps } from './types.js';

type Fields = Pick<Draft, 'product_id' | 'sku' | 'quantity' | 'order_id' | 'checkout_token'>;

const TYPE = /^(page_view|product_view|add_to_cart|begin_checkout|purchase)$/;
const TEXT = /^[^]{1,255}$/;
const DECIMAL = /^\d{1,15}(\.\d{1,6})?$/;

/**
 * The fields of an event that the collector knows, as strings; undefined for a type that it does not know and for a
 * purchase that names no order. The server drops an event whole for one unknown field, so unknown ones stop here.
 */
export function eventFields(type: string, props: EventProps | null | undefined): Fields | undefined {
  const fields: Fields = {};
  for (const name of ['product_id', 'sku', 'quantity', 'order_id', 'checkout_token'] as const) {
    const value = props?.[name];
    const known = typeof value === 'string' || typeof value === 'number';
    if (known && (name === 'quantity' ? DECIMAL : TEXT).test(`${value}`)) fields[name] = `${value}`;
  }
  const nameless = type === 'purchase' && !fields.order_id && !fields.checkout_token;
  return TYPE.test(type) && !nameless ? fields : undefined;
}
