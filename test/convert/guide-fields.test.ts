import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { conversionOptions } from '../../src/cli/import/platform/conversion-flags.js';
import type { Conversion } from '../../src/convert/conversion.js';
import type { ConversionOptions } from '../../src/convert/options.js';
import { convertShopifyRows } from '../../src/convert/shopify/csv.js';
import { convertShopify } from '../../src/convert/shopify/convert.js';
import { CSV_FIELDS } from '../../src/convert/shopify/csv-fields.js';
import { unreadShopify } from '../../src/convert/shopify/fields.js';
import { namesIn } from '../../src/convert/unread.js';
import { restOrder } from '../../src/convert/shopify/graphql.js';
import { listOf } from '../../src/convert/values.js';
import { convertWooCommerce } from '../../src/convert/woocommerce/convert.js';
import { unreadWooCommerce } from '../../src/convert/woocommerce/fields.js';
import { fieldsOf, isFields } from '../../src/domain/fields.js';
import { casesOf } from './cases.js';

/** Both columns of the table "Which field is which" of a guide: what is in backticks. */
function tableOf(guide: string): { here: string[]; there: string[] } {
  const text = readFileSync(`src/http/pages/docs/${guide}.md`, 'utf8');
  const [, part = ''] = text.split('## Which field is which');
  const rows = (part.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  const named = (cell = ''): string[] => [...cell.matchAll(/`([a-z][a-z_.]*)`/g)].map(([, name = '']) => name);
  const columns = rows.map((row) => row.split('|'));
  return { here: columns.flatMap(([, here]) => named(here)), there: columns.flatMap(([, , there]) => named(there)) };
}

/** The value, telling every field that is read of it as a path without its places in lists. */
function watched<T>(value: T, path: string, read: Set<string>): T {
  if (typeof value !== 'object' || value === null) return value;
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  return new Proxy(value, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name);
      if (typeof name !== 'string' || name in Array.prototype || name in Object.prototype) return found;
      if (Array.isArray(target)) return watched(found, path, read);
      // `price_set.shop_money.amount` is the price, too.
      const own = at(name.replace(/_set$/, ''));
      read.add(own);
      return watched(found, own, read);
    },
  });
}

/** Every field of an item, as `line_items.unit_price`. */
function fieldsIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsIn(one, path));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return [own, ...fieldsIn(one, own)];
  });
}

/** Words of a cell that are no field of the platform. */
const VALUES = ['paid', 'pending', 'voided', 'meta_data', '_subscription_renewal', '_refunded_item_id'];
/** Wrappings of an amount, and where it is looked for in other forms of the same order. */
const WRAPPING =
  /(^|\.)(\w+_set|shop_money|shopMoney|amount_set|currency_code|nodes|edges|node|record|data|order)(\.|$)/;

describe('the tables "Which field is which" of the guides', () => {
  const read = { shopify: new Set<string>(), woocommerce: new Set<string>() };
  const made = { shopify: new Set<string>(), woocommerce: new Set<string>() };
  const convert = {
    shopify: (order: unknown, options?: ConversionOptions) => convertShopify(watched(order, '', read.shopify), options),
    woocommerce: (order: unknown, options?: ConversionOptions, refunds?: unknown) =>
      convertWooCommerce(
        { order: watched(order, '', read.woocommerce), refunds: watched(refunds, 'refunds', read.woocommerce) },
        options,
      ),
  };
  before(() => {
    const note = (platform: 'shopify' | 'woocommerce', conversion: Conversion): void => {
      for (const field of 'order' in conversion ? fieldsIn(conversion.order) : []) made[platform].add(field);
    };
    for (const { input } of casesOf('shopify')) {
      const { format, order, options } = input;
      const form = fieldsOf(order);
      if (format === 'shopify-rest') note('shopify', convert.shopify({ ...form, checkout_token: 'c-1' }, options));
      const rest = { ...restOrder(form), total_price: '-', total_tax: '-' };
      if (format === 'shopify-graphql') note('shopify', convert.shopify(rest, options));
    }
    const fee = { id: 9, total: '-1.00', total_tax: '-0.19', meta_data: [{ key: '_refunded_item_id', value: '3' }] };
    for (const { input } of casesOf('woocommerce')) {
      const refunds = listOf(input.refunds).map((refund) => ({ ...fieldsOf(refund), fee_lines: [fee] }));
      const order = {
        ...fieldsOf(input.order),
        number: 'W-7',
        tax_lines: [{ tax_total: '0.00', shipping_tax_total: '0.00' }],
        coupon_lines: [
          ...listOf(fieldsOf(input.order).coupon_lines),
          { discount_type: 'credit', discount: '0.00', discount_tax: '0.00' },
        ],
      };
      const options = { ...input.options, creditCoupons: ['credit'] };
      note('woocommerce', convert.woocommerce(order, options, refunds));
      const meta = [...listOf(fieldsOf(input.order).meta_data), { key: '_wcpay_mode', value: 'test' }];
      note('woocommerce', convert.woocommerce({ ...order, meta_data: meta }, options, refunds));
    }
  });

  for (const guide of ['shopify', 'woocommerce'] as const) {
    it(`${guide}: names every field that the converter makes, and no other`, () => {
      const fields = [...made[guide]].filter((name) => !name.startsWith('customer.'));
      expect([...new Set(tableOf(guide).here)].sort()).to.deep.equal(fields.sort());
    });

    it(`${guide}: names every field that the converter reads, and no other`, () => {
      const { there } = tableOf(guide);
      const named = there.filter((name) => !VALUES.includes(name));
      expect(named.filter((name) => !read[guide].has(name))).to.deep.equal([], 'named and not read');
      const fields = [...read[guide]].filter((name) => !WRAPPING.test(name));
      const missing = fields.filter((name) => !there.some((one) => one === name || one.startsWith(`${name}.`)));
      expect(missing).to.deep.equal([], 'read and not named');
    });
  }

  for (const [platform, unread] of Object.entries({ shopify: unreadShopify, woocommerce: unreadWooCommerce })) {
    it(`${platform}: every field that the converter reads is in the table of fields`, () => {
      const order = (path: string): unknown =>
        path.split('.').reduceRight<unknown>((value, name) => ({ [name]: value }), 'x');
      const fields = [...read[platform as 'shopify' | 'woocommerce']].filter((name) => !WRAPPING.test(name));
      expect(fields.length).to.be.greaterThan(30);
      expect(fields.filter((path) => unread(order(path)).size > 0)).to.deep.equal([]);
    });
  }

  it('shopify: names the columns of the CSV export that are read', () => {
    const text = readFileSync('src/http/pages/docs/shopify.md', 'utf8').replaceAll('\n', ' ');
    const [, part = ''] = /\*\*In the CSV export\*\*(.*?) It tells/.exec(text) ?? [];
    const named = [...part.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.toLowerCase());
    const columns = new Set<string>();
    const row = {
      id: '1',
      total: '10.00',
      currency: 'EUR',
      'financial status': 'refunded',
      'created at': '2026-03-01 10:00:00 +0100',
    };
    const more = {
      taxes: '0',
      shipping: '0',
      'discount amount': '0',
      'lineitem quantity': '1',
      'lineitem price': '10.00',
    };
    const paid = { ...row, ...more, 'cancelled at': '2026-03-02 10:00:00 +0100', 'refunded amount': '10.00' };
    const conversion = convertShopifyRows([watched(paid, '', columns)]);
    expect(conversion, JSON.stringify(conversion)).to.have.property('order');
    expect(named.sort()).to.deep.equal([...columns].sort());
    expect([...columns].filter((name) => !namesIn(CSV_FIELDS.read).includes(name))).to.deep.equal([]);
  });

  it('name the options of the source and the flags that say the same', () => {
    for (const guide of ['shopify', 'woocommerce']) {
      const text = readFileSync(`src/http/pages/docs/${guide}.md`, 'utf8');
      const [, part = ''] = text.split('## What only you know');
      const flags = [...part.matchAll(/`--([a-z-]+)(?: '?([^`']+)'?)?`/g)].map(([, name = '', value]) => ({
        name,
        value,
      }));
      const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const options = conversionOptions(
        Object.fromEntries(flags.map(({ name, value }) => [camel(name), value ?? true])),
      );
      const all = ['count', 'giftCardSkus', 'rate', 'refundsOn', 'restock', 'statuses'];
      const ofPlugins = ['creditCoupons', 'subOrders'];
      const expected = guide === 'shopify' ? all : [...ofPlugins, ...all];
      expect(Object.keys(options).sort(), guide).to.deep.equal(expected.sort());
    }
  });
});
