import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Big } from 'big.js';
import { expect } from 'chai';
import type { OrderInput } from '../../src/domain/orders/orders.js';
import type { Statement } from '../../src/schemas/metrics.js';
import { casesOf, type Case } from '../convert/cases.js';
import { runCommand } from '../support/command.js';
import { referenceDays } from '../support/order-reference.js';
import { useService } from '../support/service.js';
import { referenceStatement } from '../support/statement-reference.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const UNIT_COST = '3.10';

const ordersOf = (cases: readonly Case[]): OrderInput[] =>
  cases.flatMap(({ expected }) => ('order' in expected ? [expected.order] : []));

/** The cases of one form and of the same flags as one file. */
function fileOf(cases: readonly Case[]): string {
  const texts = cases.flatMap(({ input: { text } }) => (text === undefined ? [] : [text]));
  // One header for all.
  if (texts.length > 0) return texts.map((text, i) => (i === 0 ? text : text.slice(text.indexOf('\n') + 1))).join('');
  // What follows a line of a bulk export is one too.
  const [bulk, whole] = [true, false].map((isBulk) =>
    cases.filter(({ input }) => (input.lines !== undefined) === isBulk),
  );
  return [...(whole ?? []), ...(bulk ?? [])]
    .flatMap(({ input: { format, order, refunds, lines } }) => {
      return lines ?? [JSON.stringify(format === 'woocommerce' ? { order, refunds } : order)];
    })
    .join('\n');
}

const flagsOf = ({ input: { options = {} } }: Case): string[] => {
  const { restock, creditCoupons, ...others } = options;
  expect(others).to.deep.equal({});
  return [
    ...(restock === true ? ['--restock'] : []),
    ...(creditCoupons === undefined ? [] : ['--credit-coupons', JSON.stringify(creditCoupons)]),
  ];
};

const fileNameOf = (one: Case): string =>
  `${one.input.text === undefined ? 'json' : 'csv'} ${flagsOf(one).join().replace(/\W/g, '')}`;

describe('profit import of all cases of a platform', function () {
  this.timeout(600_000);
  const service = useService();
  const folder = temporaryFolder('platform-cases');

  for (const platform of ['shopify', 'woocommerce'] as const) {
    for (const timezone of ['Europe/Berlin', 'Pacific/Auckland']) {
      it(`joined in a file: ${platform} in ${timezone} has the sums of the cases day by day`, async () => {
        const shop = await service.shop({ timezone, currency: 'EUR' });
        const cases = casesOf(platform);
        for (const name of new Set(cases.map(fileNameOf))) {
          const joined = cases.filter((one) => fileNameOf(one) === name);
          const file = join(folder, `${shop.id} ${name}`);
          writeFileSync(file, fileOf(joined));
          const args = ['import', platform, file, '--url', service.url, ...joined.slice(0, 1).flatMap(flagsOf)];
          const { status, err } = await runCommand(args, { PATH: process.env.PATH, PROFIT_KEY: shop.key });
          expect(status, err).to.equal(ordersOf(joined).length < joined.length ? 2 : 0);
        }

        const skus = new Set(ordersOf(cases).flatMap((order) => order.line_items.flatMap(({ sku }) => sku ?? [])));
        const costs = [...skus].map((sku) => ({ sku, unit_cost: UNIT_COST }));
        expect((await shop.call('PUT', '/v1/products/costs', { costs })).body).to.include({ accepted: costs.length });
        await service.settled();
        const orders = ordersOf(cases).map((order) => ({
          ...order,
          line_items: order.line_items.map((line) =>
            line.sku === undefined ? line : { unit_cost: UNIT_COST, ...line },
          ),
        }));
        const { body } = await shop.call('GET', '/v1/metrics/daily?from=2026-03-15&to=2026-04-30&include=statement');
        const reference = referenceDays(orders, timezone);
        const days = body.days as ({ date: string; orders: number; statement: Statement } & Record<string, string>)[];
        expect(days.map(({ date }) => date)).to.include.members([...reference.keys()]);
        for (const day of days) {
          const { revenue, refunds, cogs, gateway_fees, statement } = day;
          const wanted = reference.get(day.date);
          const plain = (figures: object): string[] =>
            Object.entries(figures).map(([figure, value]) => `${figure} ${Big(String(value ?? 0)).toFixed()}`);
          expect(
            plain({ orders: day.orders, revenue, refunds, cogs, gateway_fees, ...statement }),
            day.date,
          ).to.deep.equal(
            plain({
              orders: wanted?.orders,
              revenue: wanted?.revenue.toFixed(),
              refunds: wanted?.refunds.toFixed(),
              cogs: wanted?.cogs.toFixed(),
              gateway_fees: wanted?.gatewayFees.toFixed(),
              ...referenceStatement(orders, [day.date], timezone),
            }),
          );
        }
      });
    }
  }
});
