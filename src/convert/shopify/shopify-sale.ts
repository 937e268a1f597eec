import type { Sale } from '../sale.js';
import type { ShopifyLine } from './lines.js';
import type { ShopifyRefund } from './refunds.js';

/** A sale whose lines and refunds still have what the platform says of them. */
export interface ShopifySale extends Sale {
  lines: ShopifyLine[];
  refunds: ShopifyRefund[];
}
