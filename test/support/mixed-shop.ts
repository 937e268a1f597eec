import { expect } from 'chai';
import { attributedShop, day, iso, MINUTE, type AttributedShop } from './attributed-shop.js';
import type { Service } from './service.js';

const DAY = 1440 * MINUTE;

/** As many visits of each channel as its pixel reports. */
export const MIXED_VISITS = { google_ads: 2, email: 3, direct: 1, internal: 1 };

/**
 * A shop west of Greenwich with whatever makes figures differ: taxes in and on prices, refunds of other days and without their tax,
 * unknown and own costs, estimated and actual fees, losses of each kind, customers of several months, spend in another currency,
 * expenses of every kind, orders that don't count, and changes of past days.
 */
export async function mixedShop(service: Service): Promise<AttributedShop> {
  const mixed = await attributedShop(service, { timezone: 'America/New_York' });
  const { shop, pushOrder, collect } = mixed;
  const now = Date.now();
  const put = async (method: string, path: string, body: unknown): Promise<void> => {
    const answer = await shop.call(method, path, body);
    expect([answer.status < 300, answer.body.rejected ?? 0], JSON.stringify(answer.body)).to.deep.equal([true, 0]);
  };
  await put('PUT', '/v1/products/costs', {
    costs: [
      { sku: 'A', unit_cost: '20.10' },
      { sku: 'A', unit_cost: '22.50', effective_from: day(now - 10 * DAY) },
      { sku: 'B', unit_cost: '5.05' },
    ],
  });
  await put('PUT', '/v1/costs/gateway-fees', {
    rules: [
      { payment_gateway: 'card', percent: '2.9', fixed: '0.30' },
      { payment_gateway: 'pay_pal', percent: '3.4', fixed: '0.35' },
    ],
  });
  const spend = { event_date: day(now - DAY), currency: 'EUR' };
  await put('POST', '/v1/costs/spend', {
    rows: [
      { ...spend, channel: 'Google Ads', spend: '41.37' },
      { ...spend, channel: 'Google Ads', spend: '12.50', event_date: day(now - 45 * DAY) },
      { ...spend, channel: 'Radio', spend: '30.00' },
      { ...spend, channel: 'Facebook', spend: '99.00', currency: 'GBP' },
    ],
  });
  const expense = { category: 'other', currency: 'EUR', started_on: day(now - 60 * DAY) };
  for (const [name, fields] of Object.entries({
    rent: { amount: '260.40', frequency: 'monthly' },
    agency: { amount: '70.00', frequency: 'weekly', counts_as_ad_spend: true },
    packing: { amount: '1.25', frequency: 'per_order' },
    royalty: { amount: '2', frequency: 'percent_of_revenue', ended_on: day(now - 5 * DAY) },
    fair: { amount: '100.00', frequency: 'one_time', started_on: day(now - 40 * DAY) },
    abroad: { amount: '10.00', frequency: 'monthly', currency: 'GBP' },
  })) {
    await put('POST', '/v1/costs/expenses', { ...expense, external_id: name, name, ...fields });
  }

  const visit = (anon_id: string, ago: number, url: string, fields = {}) => ({
    anon_id,
    event_id: `${anon_id}-${ago}`,
    type: 'page_view',
    ts: iso(now - ago * MINUTE),
    url: `https://shop.example.com${url}`,
    ...fields,
  });
  const thanks = (order_id: string, fields = {}) =>
    visit(order_id, 1, '/thanks', { type: 'purchase', order_id, ...fields });
  await collect(
    visit('ad', 90, '/?gclid=1&utm_source=google&utm_medium=cpc'),
    thanks('ad'),
    visit('letter', 300, '/?utm_source=news&utm_medium=email&utm_campaign=spring'),
    visit('letter', 60, '/?gclid=2'),
    visit('letter', 20, '/?utm_source=news&utm_medium=email'),
    thanks('letter'),
    thanks('old', { referrer: 'https://bank.example/' }),
    thanks('clock', { ts: iso(now - MINUTE), url: 'https://shop.example.com/?utm_source=news&utm_medium=email' }),
  );

  const line = (line_id: string, fields: object) => ({ line_id, quantity: '1', unit_price: '50.00', ...fields });
  const refund = (ago: number, fields: object) => ({
    refund_id: `r${ago}`,
    refunded_at: iso(now - ago * DAY),
    ...fields,
  });
  const card = { payment_gateway: 'Card', placed_at: iso(now) };
  const push = (order_id: string, ago: number, fields: object): Promise<void> =>
    pushOrder({ ...card, order_id, placed_at: iso(now - ago * DAY), ...fields });
  await push('ad', 0, {
    customer: { id: 'c1' },
    country: 'AT',
    discount_codes: ['SPRING', 'ten'],
    total: '103.69',
    tax: '16.56',
    taxes_included: true,
    shipping: '4.90',
    discounts: '2.00',
    rounding_adjustment: '0.01',
    tips: '1.78',
    line_items: [line('1', { sku: 'A', quantity: '2', line_discount: '1.00', title: 'Mug' })],
    fulfillment_cost: '6.20',
  });
  await push('letter', 0, {
    customer: { id: 'c2' },
    country: 'DE',
    discount_codes: ['TEN'],
    total: '119.00',
    tax: '19.00',
    gateway_fee: '3.33',
    line_items: [line('1', { sku: 'A' }), line('2', { sku: 'own', unit_cost: '11.11' })],
  });
  await push('old', 0, { payment_gateway: 'PayPal', line_items: [line('1', { quantity: '2', sku: 'unknown' })] });
  await push('clock', 2, { customer: { id: 'c2' }, total: '50.00', line_items: [line('1', { sku: 'B' })] });
  await push('unnamed', 0, { payment_gateway: 'none', total: '9.90', line_items: [line('1', { unit_price: '9.90' })] });
  await push('first', 40, {
    customer: { id: 'c1' },
    total: '150.00',
    tax: '23.95',
    taxes_included: true,
    line_items: [line('1', { sku: 'A', quantity: '3', title: 'Old mug' })],
    refunds: [
      refund(33, { total: '50.00', tax_refund: '7.98', line_items: [{ line_id: '1', quantity: '1', restock: true }] }),
      refund(3, {
        total: '55.00',
        line_items: [{ line_id: '1', quantity: '1', restock: false }],
        gateway_fee_refund: '0.40',
      }),
    ],
  });
  await push('loss', 20, {
    customer: { id: 'c3' },
    total: '4.00',
    line_items: [line('1', { sku: 'B', unit_price: '4.00' })],
    refunds: [refund(20, { total: '1.00' })],
  });
  await push('year', 75, {
    customer: { id: 'c3' },
    total: '50.00',
    duties: '0.00',
    line_items: [line('1', { sku: 'B' })],
  });
  await push('voided', 0, { status: 'voided' });
  await push('test', 0, { is_test: true });
  await push('gone', 12, { customer: { id: 'c1' } });
  await service.settled();
  await push('gone', 12, { deleted: true, updated_at: iso(now) });
  await push('moved', 15, { total: '20.00', line_items: [line('1', { sku: 'B', unit_price: '20.00' })] });
  await put('PUT', '/v1/costs/orders', {
    costs: [
      { order_id: 'first', fulfillment_cost: '5.55', gateway_fee: '4.44' },
      { order_id: 'clock', fulfillment_cost: '0.00' },
    ],
  });
  await service.settled();
  await push('moved', 8, {
    total: '22.00',
    updated_at: iso(now),
    line_items: [line('1', { sku: 'B', unit_price: '22.00' })],
  });
  await put('PUT', '/v1/products/costs', { costs: [{ sku: 'B', unit_cost: '5.25' }] });
  await service.settled();
  return mixed;
}
