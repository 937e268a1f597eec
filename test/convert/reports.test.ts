import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseCsv } from '../../src/cli/import/csv.js';
import { formatMoney, readMicros } from '../../src/convert/amounts.js';
import type { Conversion } from '../../src/convert/conversion.js';
import type { ConversionOptions } from '../../src/convert/options.js';
import { convertShopify } from '../../src/convert/shopify/convert.js';
import { convertShopifyRows } from '../../src/convert/shopify/csv.js';
import type { ConvertedOrder } from '../../src/convert/to-order.js';
import { convertWooCommerce } from '../../src/convert/woocommerce/convert.js';
import { acceptsItem } from './accepts-item.js';

/** What platforms were seen to send; `expected` are fields that the item must have, or why it is held back. */
interface Report {
  name: string;
  why: string;
  input: { format: string; order?: unknown; refunds?: unknown; csv?: string; options?: ConversionOptions };
  expected: Partial<ConvertedOrder> & {
    hold?: string;
    holdOrNote?: true;
    note?: string;
    net?: string;
    refundsSum?: string;
    counted?: true;
  };
}

const reports = JSON.parse(readFileSync(new URL('cases/reports.json', import.meta.url), 'utf8')) as Report[];

async function* once(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text);
}

async function convert({ format, order, refunds, csv, options }: Report['input']): Promise<Conversion> {
  if (csv === undefined) {
    return format === 'woocommerce' ? convertWooCommerce({ order, refunds }, options) : convertShopify(order, options);
  }
  const rows: string[][] = [];
  for await (const { fields } of parseCsv(once(csv))) rows.push(fields);
  const [columns = [], ...lines] = rows;
  return convertShopifyRows(
    lines.map((line) => Object.fromEntries(columns.map((name, i) => [name.toLowerCase(), line[i] ?? '']))),
    options,
  );
}

const micros = (amount: string | undefined): bigint => readMicros(amount ?? '0') ?? 0n;
const refunded = ({ refunds = [] }: ConvertedOrder): bigint =>
  refunds.reduce((sum, { total }) => sum + micros(total), 0n);

describe('what platforms were seen to send', () => {
  for (const { name, why, input, expected } of reports) {
    it(`${name}: ${why}`, async () => {
      const conversion = await convert(input);
      const { hold, holdOrNote, note, net, refundsSum, counted, refunds, ...fields } = expected;
      if (hold !== undefined || holdOrNote === true) {
        expect(conversion, JSON.stringify(conversion)).to.have.nested.property('hold.code');
        expect('hold' in conversion && conversion.hold.code).to.equal(hold ?? 'sub_order');
        return;
      }
      if ('hold' in conversion) throw new Error(JSON.stringify(conversion.hold));
      const { order, notes } = conversion;
      expect(acceptsItem(order)).to.deep.equal([]);
      expect(order).to.deep.include(fields);
      if (note !== undefined) expect(notes).to.include(note);
      if (counted === true) expect([order.status, order.is_test]).to.deep.equal(['paid', undefined]);
      if (net !== undefined) expect(formatMoney(micros(order.total) - refunded(order))).to.equal(net);
      if (refundsSum !== undefined) expect(formatMoney(refunded(order))).to.equal(refundsSum);
      expect(order.refunds ?? []).to.have.length(refunds?.length ?? order.refunds?.length ?? 0);
      refunds?.forEach((refund, i) => expect(order.refunds?.[i]).to.deep.include(refund));
    });
  }
});
