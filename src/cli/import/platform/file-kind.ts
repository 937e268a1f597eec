import { fieldsOf } from '../../../domain/fields.js';
import { unwrapped } from '../../../convert/unwrapped.js';
import { CSV_COLUMNS } from '../../../convert/shopify/csv.js';
import { parseJson } from '../../parse-json.js';

export type Platform = 'shopify' | 'woocommerce';

/** How a file of orders is written, or in one sentence what else it is. */
export type FileKind = { kind: 'json' | 'csv' } | { kind: 'other'; sentence: string };

const SIGNATURES: [RegExp, string][] = [
  [/^PK[^\w\s]{2}/, 'a ZIP archive or an Excel workbook: give the text file that is in it, or save it as CSV'],
  [/^%PDF/, 'a PDF document: export the orders as JSON or CSV'],
  [/^\xff\xfe|^\xfe\xff/, 'UTF-16 text: save it as UTF-8'],
  [
    /^\s*(\xef\xbb\xbf)?\s*<(!doctype|html|head|body)/i,
    'an HTML page, such as an error or sign-in page: download the export again',
  ],
  [/^\s*(\xef\xbb\xbf)?\s*</, 'an XML document: export the orders as JSON or CSV'],
];

const NEITHER = 'the file is neither JSON nor CSV';

/** What a file is by its first bytes, unpacked. */
export function fileKind(head: Uint8Array): FileKind {
  const text = Buffer.from(head).toString('latin1');
  const other = SIGNATURES.find(([pattern]) => pattern.test(text));
  if (other !== undefined) return { kind: 'other', sentence: `the file is ${other[1]}` };
  const begin = text.replace(/^\xef\xbb\xbf/, '').trimStart();
  if (begin === '') return { kind: 'other', sentence: 'the file is empty' };
  if (begin.startsWith('{') || begin.startsWith('[')) return { kind: 'json' };
  const [first = ''] = begin.replace(/^sep=.\r?\n/i, '').split('\n', 1);
  return /[,;\t]/.test(first) ? { kind: 'csv' } : { kind: 'other', sentence: NEITHER };
}

/** The column of Airbyte's raw tables that holds a record as JSON. */
export const RAW_COLUMN = '_airbyte_data';

/** In one sentence why a CSV file with these columns has no orders of the platform; undefined where it has. */
export function otherCsv(columns: readonly string[], platform: Platform): string | undefined {
  if (columns.includes(RAW_COLUMN)) return undefined;
  const isShopify = CSV_COLUMNS.every((name) => columns.includes(name));
  if (isShopify && platform === 'shopify') return undefined;
  if (isShopify) return "the file is Shopify's order export: use profit import shopify";
  const seen = columns.filter((name) => name !== '').slice(0, 3);
  if (seen.length < 2) return NEITHER;
  const what = platform === 'shopify' ? "Shopify's order export" : 'orders of WooCommerce, which are JSON';
  return `the file is a CSV file with the columns ${seen.join(', ')}, and not ${what}`;
}

/** The same of the first JSON value. */
export function otherJson(value: unknown, platform: Platform): string | undefined {
  const given = fieldsOf(value);
  const order = unwrapped(value);
  if (typeof order.order_id === 'string' && 'line_items' in order && 'placed_at' in order) {
    return 'the file has orders as POST /v1/orders takes them: use profit import orders';
  }
  if ('errors' in given && !('id' in given) && !('order' in given) && !('data' in given)) {
    return `the file is an error answer of the platform: ${JSON.stringify(given.errors).slice(0, 100)}`;
  }
  const isWoo = 'date_created_gmt' in order || 'prices_include_tax' in order;
  const isShopify =
    'financial_status' in order || 'totalPriceSet' in order || String(order.id).startsWith('gid://shopify/');
  if (isWoo && platform === 'shopify') return 'the file has orders of WooCommerce: use profit import woocommerce';
  if (isShopify && platform === 'woocommerce') return 'the file has orders of Shopify: use profit import shopify';
  return undefined;
}

/** Whose export a file is by its first bytes; undefined where it is none. */
export function platformOf(head: Uint8Array): Platform | undefined {
  const text = Buffer.from(head).toString();
  const [line = ''] = text.replace(/^\ufeff?(sep=.\r?\n)?/i, '').split('\n', 1);
  const columns = line
    .toLowerCase()
    .split(/[,;\t]/)
    .map((name) => name.replaceAll('"', '').trim());
  if (CSV_COLUMNS.every((name) => columns.includes(name))) return 'shopify';
  if (fileKind(head).kind !== 'json') return undefined;
  if (/"(financial_status|displayFinancialStatus|totalPriceSet|admin_graphql_api_id)"/.test(text)) return 'shopify';
  return /"(date_created_gmt|prices_include_tax)"/.test(text) ? 'woocommerce' : undefined;
}

/** Why `profit import orders` can't take a file; undefined where its lines may be orders. */
export function otherThanOrders(head: Uint8Array): string | undefined {
  const kind = fileKind(head);
  if (kind.kind === 'other') return kind.sentence === 'the file is empty' ? undefined : kind.sentence;
  const line = (
    Buffer.from(head)
      .toString()
      .replace(/^\ufeff/, '')
      .trimStart()
      .split('\n', 1)[0] ?? ''
  ).trim();
  if (kind.kind === 'json') {
    const isShopify = otherJson(parseJson(line), 'woocommerce')?.includes('of Shopify');
    if (isShopify === true) return 'the file has orders of Shopify: use profit import shopify';
    const isWoo = otherJson(parseJson(line), 'shopify')?.includes('of WooCommerce');
    return isWoo === true ? 'the file has orders of WooCommerce: use profit import woocommerce' : undefined;
  }
  const columns = line
    .toLowerCase()
    .split(/[,;\t]/)
    .map((name) => name.replace(/^"|"$/g, ''));
  if (otherCsv(columns, 'shopify') === undefined)
    return "the file is Shopify's order export: use profit import shopify";
  return columns.length > 1
    ? `the file is a CSV file with the columns ${columns.slice(0, 3).join(', ')}, and not one JSON order a line`
    : undefined;
}
