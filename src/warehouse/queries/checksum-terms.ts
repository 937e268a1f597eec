/** A table whose rows of a day are compared with what the orders, costs and spend come to. */
export type CheckedTable = 'order_days' | 'order_keys' | 'order_facts' | 'daily_orders' | 'daily_products';

/** Days of {shop:String} from {from:Date} to {to:Date}. */
export const WINDOW = 'BETWEEN {from:Date} AND {to:Date}';
export const SHOP = 'shop_id = {shop:String}';

/** The digits of a decimal as a number modulo 2^64: millionths of an amount of six decimals. */
export const digits = (decimal: string): string => `reinterpretAsUInt64(${decimal})`;
export const signed = (decimal: string): string => `toInt256(reinterpretAsInt128(${decimal}))`;
export const known = (decimal: string): string => digits(`ifNull(${decimal}, toDecimal128(0, 6))`);
/** Millionths of a count. */
export const count = (condition: string): string => `(${condition}) * 1000000`;
export const weighed = (amounts: Readonly<Record<string, string>>): string =>
  Object.entries(amounts)
    .map(([name, amount]) => `cityHash64('${name}') * (${amount})`)
    .join(' + ');
/** From millionths to the twelve decimals of figures. */
export const FINE = '1000000';

export const hash = (...parts: readonly string[]): string => `cityHash64(${parts.join(', ')})`;
export const costKey = (cost: string): string => `isNull(${cost}), ifNull(${cost}, toDecimal128(0, 6))`;
export const soldHash = (sku: string, cost: string): string => hash(`'sold'`, sku, costKey(cost));
export const restockedHash = (sku: string, cost: string): string => hash(`'restocked'`, sku, costKey(cost));
export const returnedHash = (
  line: string,
  sku: string,
  price: string,
  cost: string,
  sold: string,
  discount: string,
): string => hash(`'returned'`, line, sku, price, costKey(cost), sold, discount);
export const productHash = (sku: string, day: string, cost: string): string =>
  hash(`'product'`, sku, day, costKey(cost));
/** Of a sum of the orders placed on a day. */
export const placedHash = (name: string): string => hash(`'placed'`, name);
export const estimableHash = (gateway: string): string => hash(`'estimable'`, gateway);
export const gatewayHash = (gateway: string): string => hash(`'gateway'`, gateway);
export const spendHash = (channel: string, currency: string): string => hash(`'spend'`, channel, currency);

export const checks = (columns: Readonly<Partial<Record<CheckedTable, string>>>): string =>
  `map(${Object.entries(columns)
    .map(([table, sql]) => `'${table}', toInt64(sum(${sql}))`)
    .join(', ')}) AS checksums`;
