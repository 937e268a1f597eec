import type { Draft, EventProps, TrackType } from './types.js';

type Fields = Pick<Draft, 'product_id' | 'sku' | 'quantity' | 'order_id' | 'checkout_token'>;

const TYPE = /^(page_view|product_view|add_to_cart|begin_checkout|purchase)$/;
const TEXT = /^\P{Cc}{1,255}$/u;
const DECIMAL = /^\d{1,15}(\.\d{1,6})?$/;

/**
 * Emits an event with the fields that the collector knows, as strings. Left out is what the server would refuse: it drops
 * an event whole for one unknown field, and a purchase that names no order.
 */
export const createTrack =
  (emit: (type: TrackType, fields: Fields) => void) =>
  (type: TrackType, props?: EventProps | null): void => {
    const fields: Fields = {};
    for (const name of ['product_id', 'sku', 'quantity', 'order_id', 'checkout_token'] as const) {
      const value = props?.[name];
      const known = typeof value === 'string' || typeof value === 'number';
      if (known && (name === 'quantity' ? DECIMAL : TEXT).test(`${value}`)) fields[name] = `${value}`;
    }
    if (TYPE.test(type) && (type !== 'purchase' || fields.order_id || fields.checkout_token)) emit(type, fields);
  };
