import { expect } from 'chai';
import fc from 'fast-check';
import { FileError } from '../../src/cli/import/platform/json-values.js';
import { readPlatformOrders, type GivenOrder } from '../../src/cli/import/platform/read-orders.js';
import { CsvError } from '../../src/cli/import/csv.js';
import type { Conversion } from '../../src/convert/conversion.js';
import type { ConversionOptions } from '../../src/convert/options.js';
import { figuresOf, isSound } from './figures.js';
import { bulkLines, CSV_HEADER, csvLines, graphqlOrder, tellable } from './shopify-forms.js';
import { shopifyModel, shopifyOrder, type ShopifyModel } from './shopify-model.js';
import { faults, withFaults } from './spoilt.js';

const CARDS: ConversionOptions = { giftCardSkus: ['GC'] };
const models = fc.array(shopifyModel, { minLength: 1, maxLength: 4 });

/** A file of some orders in a form, and what its items must say. */
interface Form {
  /** A cut can't be seen in what no export has. */
  isCut?: false;
  content: (models: readonly ShopifyModel[]) => string;
  figures?: (model: ShopifyModel, index: number) => ReturnType<typeof figuresOf>;
}

const graphql = (model: ShopifyModel, i: number) => graphqlOrder(shopifyOrder(model).order, i + 1);
const soldFigures = (model: ShopifyModel) => shopifyOrder(model).figures;
const isCancelled = (index: number): boolean => index % 2 === 1;
const floats = (json: string): string =>
  json.replace(/"(-?\d+\.\d\d)"/g, (_, amount: string) => String(Number(amount)));

const FORMS: Record<string, Form> = {
  'an answer of the REST API': {
    content: (all) => JSON.stringify({ orders: all.map((model) => shopifyOrder(model).order) }, null, 1),
  },
  'records of airbyte, whose amounts are numbers': {
    content: (all) =>
      all.map((model) => floats(JSON.stringify({ stream: 'orders', data: shopifyOrder(model).order }))).join('\n'),
  },
  'an answer of the GraphQL API': {
    content: (all) =>
      JSON.stringify({ data: { orders: { pageInfo: { hasNextPage: true }, nodes: all.map(graphql) } } }),
  },
  'lines of a bulk operation': {
    content: (all) => `${all.flatMap((model, i) => bulkLines(graphql(model, i), 'not')).join('\n')}\n`,
  },
  'lines of a bulk operation, those of refunds too': {
    isCut: false,
    content: (all) => `${all.flatMap((model, i) => bulkLines(graphql(model, i), 'too')).join('\n')}\n`,
  },
  "the admin's CSV export": {
    content: (all) =>
      `${[
        CSV_HEADER,
        ...all.flatMap((model, i) => csvLines(shopifyOrder(tellable(model)).order, i + 1, isCancelled(i))),
      ].join('\n')}\n`,
    figures: (model, i) => {
      const { figures } = shopifyOrder(tellable(model));
      const units = model.lines.flatMap(({ isGiftCard, sold }, line): [string, string][] =>
        isGiftCard ? [] : [[String(line + 1), String(sold)]],
      );
      return { ...figures, units, refunds: isCancelled(i) ? [['csv', figures.total, '0.00', '0.00', []]] : [] };
    },
  },
};

/** Where a file is cut: anywhere, near its end, or after one of its lines. */
const place = fc.record({
  kind: fc.constantFrom('anywhere', 'near the end', 'after a line'),
  part: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
});
function placeIn(content: string, { kind, part }: { kind: string; part: number }): number {
  if (kind === 'anywhere') return Math.floor(content.length * part);
  if (kind === 'near the end') return content.length - Math.floor(Math.min(content.length, 200) * part);
  const ends = [...content.matchAll(/\n/g)].map(({ index }) => index + 1);
  return ends[Math.floor(ends.length * part)] ?? 0;
}

async function read(content: string, conversion = CARDS) {
  const bytes = Buffer.from(content);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 1_000) yield await Promise.resolve(bytes.subarray(at, at + 1_000));
  }
  const orders: Conversion[] = [];
  let failure: unknown;
  const given: AsyncGenerator<GivenOrder> = readPlatformOrders(chunks(), {
    platform: 'shopify',
    conversion,
  });
  try {
    for await (const { conversion } of given) orders.push(conversion);
  } catch (error) {
    failure = error;
  }
  return { orders, failure };
}

describe('conversion of any file of orders', function () {
  this.timeout(60_000);

  for (const [name, { content, isCut, figures = soldFigures }] of Object.entries(FORMS)) {
    it(`gives the figures of what was sold, paid and refunded, to the last digit: ${name}`, () =>
      fc.assert(
        fc.asyncProperty(models, async (all) => {
          const { orders, failure } = await read(content(all));
          expect(failure).to.equal(undefined);
          expect(orders.map(figuresOf)).to.deep.equal(all.map(figures));
          const foreign = await read(content(all), { currency: 'USD' });
          const codes = foreign.orders.map((one) => 'hold' in one && one.hold.code);
          expect(codes).to.deep.equal(all.map(() => 'other_currency'));
        }),
        { numRuns: 200 },
      ));

    if (isCut === false) continue;
    it(`that is cut anywhere gives the orders before the cut, and no other figures: ${name}`, () =>
      fc.assert(
        fc.asyncProperty(models, place, async (all, at) => {
          const whole = content(all);
          const { orders } = await read(whole);
          const cut = await read(whole.slice(0, placeIn(whole, at)));
          const last = cut.orders.at(-1);
          const isHeld = last !== undefined && 'hold' in last;
          const converted = isHeld ? cut.orders.slice(0, -1) : cut.orders;
          expect(converted).to.deep.equal(orders.slice(0, converted.length));
          const isNamed = cut.failure instanceof FileError || cut.failure instanceof CsvError;
          expect(isNamed || cut.failure === undefined, String(cut.failure)).to.equal(true);
        }),
        { numRuns: 300 },
      ));
  }

  it('never throws: lines with values of any type at any place are held back, or are items that the service takes', () =>
    fc.assert(
      fc.asyncProperty(
        models,
        fc.array(fc.tuple(fc.nat(), faults), { minLength: 1, maxLength: 4 }),
        async (all, changes) => {
          for (const form of ['lines of a bulk operation', 'records of airbyte, whose amounts are numbers']) {
            const lines: string[] = (FORMS[form]?.content(all) ?? '').split('\n').filter(Boolean);
            for (const [at, spoils] of changes) {
              const line = at % lines.length;
              lines[line] = JSON.stringify(withFaults(JSON.parse(lines[line] ?? ''), spoils) ?? {});
            }
            const { orders, failure } = await read(lines.join('\n'));
            orders.forEach(isSound);
            expect(failure === undefined || failure instanceof FileError, String(failure)).to.equal(true);
          }
        },
      ),
      { numRuns: 500 },
    ));
});
