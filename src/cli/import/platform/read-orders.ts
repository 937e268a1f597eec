import { createBulkReader, type BulkOrder } from '../../../convert/shopify/bulk.js';
import type { Conversion } from '../../../convert/conversion.js';
import type { ConversionOptions } from '../../../convert/options.js';
import { convertShopify } from '../../../convert/shopify/convert.js';
import { beginsOrder, convertShopifyRows, type CsvRow } from '../../../convert/shopify/csv.js';
import { unreadShopifyColumns } from '../../../convert/shopify/csv-fields.js';
import { unreadShopify } from '../../../convert/shopify/fields.js';
import { isOtherMessage, unwrapped } from '../../../convert/unwrapped.js';
import { listOf } from '../../../convert/values.js';
import { convertWooCommerce } from '../../../convert/woocommerce/convert.js';
import { unreadWooCommerce } from '../../../convert/woocommerce/fields.js';
import { fieldsOf, isFields, type Fields } from '../../../domain/fields.js';
import { parseCsv } from '../csv.js';
import { utf8Text, withHead } from '../input.js';
import { fileKind, otherCsv, otherJson, RAW_COLUMN, type Platform } from './file-kind.js';
import { FileError, jsonTexts } from './json-values.js';
import { describeOrder, type OrderDescription } from './describe-order.js';

/** One order of the file and what becomes of it. */
export interface GivenOrder extends OrderDescription {
  /** Where it begins, from 1. */
  line: number;
  /** Its JSON text. */
  text: () => string;
  conversion: Conversion;
  /** Fields with a value that are neither read nor set aside, as paths; worked out when it is called. */
  unread: () => ReadonlySet<string>;
}

export interface ReadOptions {
  platform: Platform;
  conversion: ConversionOptions;
}

/**
 * The orders of an export, one in memory at a time, whatever its form (recognized by its content, never by its name).
 *
 * @throws FileError when it is no such export, CsvError where its CSV is broken
 */
export async function* readPlatformOrders(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<GivenOrder> {
  const { head, whole } = await withHead(bytes);
  const kind = fileKind(head);
  if (kind.kind === 'other') throw new FileError(kind.sentence);
  yield* kind.kind === 'json' ? fromJson(utf8Text(whole), options) : fromCsv(utf8Text(whole), options);
}

async function* fromCsv(
  text: AsyncIterable<string>,
  { platform, conversion }: ReadOptions,
): AsyncGenerator<GivenOrder> {
  let columns: string[] | undefined;
  let rows: CsvRow[] = [];
  let begin = 0;
  let lastFields = 0;
  let end = '';
  async function* watched(): AsyncGenerator<string> {
    for await (const chunk of text) {
      end = chunk.at(-1) ?? end;
      yield chunk;
    }
  }
  const rawOrders = ordersOf({ platform, conversion });
  const given = (own: readonly CsvRow[]): GivenOrder => ({
    line: begin,
    ...describeOrder(own[0]),
    text: () => JSON.stringify(own),
    conversion: convertShopifyRows(own, conversion),
    unread: () => new Set(own.flatMap((row) => [...unreadShopifyColumns(row)])),
  });
  for await (const { line, fields } of parseCsv(watched())) {
    if (columns === undefined) {
      columns = fields.map((name) => name.trim().toLowerCase());
      const other = otherCsv(columns, platform);
      if (other !== undefined) throw new FileError(other);
      continue;
    }
    lastFields = fields.length;
    if (columns.includes(RAW_COLUMN)) {
      const json = fields[columns.indexOf(RAW_COLUMN)] ?? '';
      yield* rawOrders.take(parsed(json, line), json, line);
      continue;
    }
    const row = Object.fromEntries(columns.map((name, i): [string, string] => [name, fields[i]?.trim() ?? '']));
    if (beginsOrder(row, rows[0])) {
      if (rows.length > 0) yield given(rows);
      rows = [];
      begin = line;
    }
    rows.push(row);
  }
  if (rows.length > 0 && end !== '\n' && lastFields < (columns?.length ?? 0)) {
    throw new FileError(`the file is cut short: its last line has ${lastFields} of ${columns?.length ?? 0} columns`);
  }
  if (rows.length > 0) yield given(rows);
  yield* rawOrders.end();
}

async function* fromJson(text: AsyncIterable<string>, options: ReadOptions): AsyncGenerator<GivenOrder> {
  const toOrders = ordersOf(options);
  let isFirst = true;
  for await (const { text: json, line } of jsonTexts(text)) {
    const value = parsed(json, line);
    if (isOtherMessage(value)) continue;
    const other = isFirst ? otherJson(value, options.platform) : undefined;
    if (other !== undefined) throw new FileError(other);
    isFirst = false;
    yield* toOrders.take(value, json, line);
  }
  yield* toOrders.end();
}

function ordersOf(options: ReadOptions): Orders {
  return options.platform === 'shopify' ? shopifyOrders(options) : woocommerceOrders(options);
}

interface Orders {
  take(value: Fields, text: string, line: number): GivenOrder[];
  end(): GivenOrder[];
}

function shopifyOrders({ conversion }: ReadOptions): Orders {
  const bulk = createBulkReader();
  let begin = 1;
  const given = (one: BulkOrder, line: number): GivenOrder =>
    'order' in one
      ? {
          line,
          ...describeOrder(one.order),
          text: () => JSON.stringify(one.order),
          conversion: convertShopify(one.order, conversion),
          unread: () => unreadShopify(one.order),
        }
      : {
          line,
          ...describeOrder(one.orphan),
          text: () => JSON.stringify(one.orphan),
          conversion: one.held,
          unread: () => new Set(),
        };
  return {
    take(value, _text, line) {
      const whole = bulk.take('__parentId' in value ? value : unwrapped(value));
      const orders = whole.map((one) => given(one, 'order' in one ? begin : line));
      if (!('__parentId' in value)) begin = line;
      return orders;
    },
    end: () => bulk.end().map((one) => given(one, begin)),
  };
}

function woocommerceOrders({ conversion }: ReadOptions): Orders {
  return {
    take(value, json, line) {
      const { order, refunds } = isFields(value.order)
        ? withRefunds(value)
        : { order: unwrapped(value), refunds: undefined };
      return [
        {
          line,
          ...describeOrder(order),
          text: () => json,
          conversion: convertWooCommerce({ order, refunds }, conversion),
          unread: () => unreadWooCommerce({ ...order, refunds: [...listOf(order.refunds), ...listOf(refunds)] }),
        },
      ];
    },
    end: () => [],
  };
}

/** `{ order, refunds }`, which a line of held orders has in its own `order`. */
function withRefunds(value: Fields): { order: Fields; refunds: unknown } {
  const inner = fieldsOf(value.order);
  return isFields(inner.order) ? withRefunds(inner) : { order: inner, refunds: value.refunds };
}

function parsed(text: string, line: number): Fields {
  try {
    return fieldsOf(JSON.parse(text) as unknown);
  } catch (error) {
    throw new FileError(`line ${line} is not JSON: ${(error as Error).message}`);
  }
}
