import { gzipSync } from 'node:zlib';
import type { ErrorCode } from '../../src/error-catalogue.js';
import type { CallOptions } from './service.js';

export const line = (fields: object = {}) => ({ line_id: 'a', quantity: '1', unit_price: '1', ...fields });
const refund = (fields: object = {}) => ({
  refund_id: 'r',
  refunded_at: '2026-03-01T00:00:00Z',
  total: '1',
  ...fields,
});
export const order = (fields: object = {}) => ({
  order_id: '1',
  placed_at: '2026-03-01T00:00:00Z',
  currency: 'EUR',
  status: 'paid',
  line_items: [line()],
  total: '1',
  ...fields,
});
export const source = { platform: 'test', currency: 'EUR', timezone: 'UTC' };

/** One request that fails as a whole. */
export interface RequestCase {
  code: ErrorCode;
  field?: string;
  method?: string;
  path: string;
  options?: CallOptions;
}
const push = (options: CallOptions): Omit<RequestCase, 'code'> => ({ method: 'POST', path: '/v1/orders', options });
const put = (body: object): Omit<RequestCase, 'code'> => ({ method: 'PUT', path: '/v1/source', options: { body } });
const gzipped = { 'Content-Encoding': 'gzip' };

export const REQUESTS: RequestCase[] = [
  { code: 'invalid_json', ...push({ raw: '{"orders":[' }) },
  { code: 'invalid_json', ...push({ raw: '' , headers: { 'Content-Type': 'application/json' } }) },
  { code: 'invalid_json', ...push({ raw: '{"orders":[],"orders":[]}' }) },
  { code: 'invalid_json', ...push({ raw: '{"orders":[{"total":"1","total":"2"}]}' }) },
  { code: 'invalid_json', ...push({ raw: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }) },
  { code: 'invalid_json', ...push({ raw: '\ufeff{"orders":[]}' }) },
  { code: 'invalid_request', ...push({ raw: 'not gzip', headers: gzipped }) },
  { code: 'invalid_request', ...push({ raw: gzipSync('{"orders":[]}').subarray(0, 15), headers: gzipped }) },
  { code: 'missing_field', field: 'orders', ...push({ body: {} }) },
  { code: 'unknown_field', field: 'colour', ...push({ body: { orders: [order()], colour: 1 } }) },
  { code: 'unknown_field', field: '__proto__', ...push({ raw: '{"orders":[1],"__proto__":{}}' }) },
  { code: 'unknown_field', field: 'dry_run', method: 'POST', path: '/v1/orders?dry_run=1', options: { body: { orders: [1] } } },
  { code: 'unknown_field', field: 'page', path: '/v1/metrics?page=1' },
  { code: 'invalid_type', field: 'orders', ...push({ body: { orders: {} } }) },
  { code: 'invalid_type', ...push({ body: [order()] }) },
  { code: 'invalid_type', ...push({ raw: 'null' }) },
  { code: 'invalid_value', field: 'timezone', ...put({ ...source, timezone: 'Mars/Olympus' }) },
  { code: 'invalid_value', field: 'timezone', ...put({ ...source, timezone: 'BST' }) },
  { code: 'invalid_value', field: 'timezone', ...put({ ...source, timezone: 'VST' }) },
  { code: 'invalid_value', field: 'platform', ...put({ ...source, platform: ' \u00a0' }) },
  { code: 'invalid_value', field: 'platform', ...put({ ...source, platform: 'pixel' }) },
  { code: 'invalid_value', field: 'platform', ...put({ ...source, platform: 'custom:radio' }) },
  { code: 'invalid_value', field: 'currency', ...put({ ...source, currency: 'eur' }) },
  { code: 'invalid_value', field: 'platform', ...put({ ...source, platform: '' }) },
  { code: 'invalid_value', field: 'platform', ...put({ ...source, platform: 'x'.repeat(65) }) },
  { code: 'invalid_value', field: 'from', path: '/v1/metrics?from=2026-03-01&from=2026-03-02' },
  { code: 'batch_size', field: 'orders', ...push({ body: { orders: [] } }) },
  { code: 'batch_size', field: 'orders', ...push({ body: { orders: Array.from({ length: 251 }, () => 1) } }) },
  { code: 'invalid_range', field: 'from', path: '/v1/metrics?from=2026-03-02&to=2026-03-01' },
  { code: 'invalid_range', field: 'to', path: '/v1/metrics/daily?to=2026-02-30' },
  { code: 'invalid_range', field: 'from', path: '/v1/metrics?from=' },
  { code: 'invalid_range', field: 'to', path: '/v1/metrics?to=2149-01-01' },
  { code: 'invalid_value', field: 'include', path: '/v1/metrics/daily?include=' },
  { code: 'invalid_value', field: 'model', path: '/v1/attribution?model=Linear' },
  { code: 'invalid_value', field: 'validate_only', method: 'POST', path: '/v1/orders?validate_only=True', options: { body: { orders: [order()] } } },
  { code: 'invalid_value', field: 'sku', path: '/v1/products/costs?sku=' },
  { code: 'range_too_long', field: 'from', path: '/v1/metrics?from=2024-01-01&to=2025-01-01' },
  { code: 'unauthorized', path: '/v1/metrics', options: { headers: { Authorization: '' } } },
  { code: 'unauthorized', path: '/v1/metrics', options: { headers: { Authorization: `Bearer sk_svc_${'0'.repeat(64)}` } } },
  { code: 'unauthorized', path: '/v1/metrics', options: { headers: { Authorization: 'Basic YTpi' } } },
  { code: 'not_found', path: '/v1/nothing' },
  { code: 'not_found', path: '/V1/Metrics' },
  { code: 'method_not_allowed', method: 'DELETE', path: '/v1/orders' },
  { code: 'body_too_large', ...push({ raw: JSON.stringify({ orders: ['x'.repeat(4 * 1024 * 1024)] }) }) },
  { code: 'body_too_large', ...push({ raw: gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20)), headers: gzipped }) },
  { code: 'unsupported_media_type', ...push({ raw: '{}', headers: { 'Content-Type': 'text/plain' } }) },
  { code: 'unsupported_media_type', ...push({ raw: '{}', headers: { 'Content-Encoding': 'br' } }) },
  { code: 'unsupported_media_type', ...push({ raw: '{}', headers: { 'Content-Encoding': 'gzip, gzip' } }) },
  { code: 'unsupported_media_type', ...push({ raw: '{}', headers: { 'Content-Type': 'application/json; charset=iso-8859-1' } }) },
]; // prettier-ignore

/** Items of a push of orders that are rejected for one code, with the field that it names. */
export const ITEMS: [ErrorCode, string | undefined, unknown][] = [
  ['missing_field', 'total', order({ total: undefined })],
  ['unknown_field', 'line_items[0].colour', order({ line_items: [line({ colour: 1 })] })],
  ['invalid_type', undefined, 'no order'],
  ['invalid_type', undefined, null],
  ['invalid_type', 'line_items[0].quantity', order({ line_items: [line({ quantity: 1 })] })],
  ['invalid_value', 'status', order({ status: 'refunded' })],
  ['invalid_value', 'customer.id', order({ customer: { id: 'x'.repeat(129) } })],
  ['invalid_value', 'payment_gateway', order({ payment_gateway: 'x'.repeat(256) })],
  ['invalid_timestamp', 'placed_at', order({ placed_at: '2026-03-01T00:00:00' })],
  ['invalid_timestamp', 'placed_at', order({ placed_at: '2025-06-29T23:59:60Z' })],
  ['invalid_timestamp', 'updated_at', order({ updated_at: new Date(Date.now() + 2 * 86_400_000).toISOString() })],
  ['invalid_timestamp', 'refunds[0].refunded_at', order({ refunds: [refund({ refunded_at: '1999-12-31T23:59:59Z' })] })],
  ['money_must_be_string', 'total', order({ total: 1 })],
  ['money_must_be_string', 'refunds[0].total', order({ refunds: [refund({ total: 0.1 })] })],
  ['invalid_money', 'shipping', order({ shipping: '-1' })],
  ['invalid_quantity', 'line_items[0].quantity', order({ line_items: [line({ quantity: '1e1' })] })],
  ['sum_mismatch', 'total', order({ total: '1.000001' })],
  ['pii_rejected', 'customer.id', order({ customer: { id: 'a@example.com' } })],
  ['pii_rejected', 'customer.id', order({ customer: { id: '+49 170 1234567' } })],
  ['currency_mismatch', 'currency', order({ currency: 'USD' })],
  ['duplicate_line_id', 'line_items[1].line_id', order({ line_items: [line(), line()], total: '2' })],
  ['duplicate_refund_id', 'refunds[1].refund_id', order({ refunds: [refund(), refund()] })],
  ['unknown_line_id', 'refunds[0].line_items[0].line_id', order({ refunds: [refund({ line_items: [{ line_id: 'z', quantity: '1' }] })] })],
  ['too_many', 'refunds', order({ refunds: Array.from({ length: 501 }, (_, i) => refund({ refund_id: String(i), total: '0' })) })],
  ['line_count', 'line_items', order({ line_items: [] })],
  ['line_count', 'line_items', order({ line_items: Array.from({ length: 501 }, (_, i) => line({ line_id: String(i) })), total: '501' })],
]; // prettier-ignore
