import { expect } from 'chai';
import { formatMoney, readMicros } from '../../src/convert/amounts.js';
import type { Conversion } from '../../src/convert/conversion.js';
import { acceptsItem } from './accepts-item.js';
import type { RefundFigures } from './shopify-model.js';

/** What an item says was sold and refunded; it must have converted, and the service must take it. */
export function figuresOf(conversion: Conversion) {
  if ('hold' in conversion) throw new Error(`held back: ${conversion.hold.code}: ${conversion.hold.message}`);
  expect(acceptsItem(conversion.order)).to.deep.equal([]);
  const { total, tax, line_items, refunds = [], shipping = '0.00', tips = '0.00', duties = '0.00' } = conversion.order;
  const gross = line_items.map(({ unit_price, quantity }) => micros(unit_price) * micros(quantity));
  const units = line_items.map(({ line_id, quantity }): [string, string] => [line_id, quantity]);
  const back = refunds.map(
    ({ refund_id, total: paid, tax_refund, shipping_refund, line_items: lines }): RefundFigures => [
      refund_id,
      paid,
      tax_refund ?? '0.00',
      shipping_refund ?? '0.00',
      (lines ?? []).map(({ line_id, quantity }) => `${line_id} ${quantity}`),
    ],
  );
  return {
    total,
    tax,
    gross: formatMoney(gross.reduce((a, b) => a + b, 0n) / 1_000_000n),
    shipping,
    tips,
    duties,
    units,
    refunds: back,
  };
}

function micros(amount: string): bigint {
  return readMicros(amount) ?? 0n;
}

/** Holds, or gives an item that the service takes. */
export function isSound(conversion: Conversion): void {
  if ('hold' in conversion) {
    const { code, message, field } = conversion.hold;
    expect(
      [code, message, field].every((text) => typeof text === 'string' && text !== ''),
      code,
    ).to.equal(true);
  } else {
    // A day far ahead is known to be one only to the service, which has a clock.
    const faults = acceptsItem(conversion.order).filter(
      (one) => (one as { code: string }).code !== 'invalid_timestamp',
    );
    expect(faults, JSON.stringify(conversion.order)).to.deep.equal([]);
  }
}
