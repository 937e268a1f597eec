/** What `dist/convert.mjs` exports: orders of a platform as items of `POST /v1/orders`. */
export { convertShopify } from './shopify/convert.js';
export { SHOPIFY_ORDERS_QUERY } from './shopify/query.js';
export { convertShopifyRows } from './shopify/csv.js';
export { convertWooCommerce } from './woocommerce/convert.js';
export { NOTES } from './notes.js';
export type { Conversion } from './conversion.js';
export type { Hold, HoldCode } from './holds.js';
export type { NoteCode } from './notes.js';
export type { ConversionOptions } from './options.js';
export type { ConvertedOrder } from './to-order.js';
