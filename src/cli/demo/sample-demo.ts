import type { Writable } from 'node:stream';
import { createClient } from '../../client/index.js';
import { pushSampleShop, type SampleShopDeps } from '../../sample/push-sample-shop.js';
import { SAMPLE_SHOP } from '../../sample/sample-shop.js';
import type { AttributionResponse } from '../../schemas/attribution.js';
import type { Metrics, RangeCoverage, Statement } from '../../schemas/metrics.js';

/** Options of `profit demo --sample`. */
export interface SampleDemoOptions extends Omit<SampleShopDeps, 'signal'> {
  /** Where to look next, given the days as a query. */
  hints: (range: string) => Promise<string[]>;
  stdout: Writable;
  signal: AbortSignal;
}

/**
 * Makes the sample shop, waits until its figures are complete and prints what its last 30 days earned and each channel brought.
 *
 * @throws ProfitApiError, ProfitUnavailableError, ProfitNotFreshError
 */
export async function runSampleDemo({ hints, stdout, signal, ...deps }: SampleDemoOptions): Promise<void> {
  const say = (sentence: string) => void stdout.write(`${sentence}\n`);
  say('Making 90 days of a shop for homewares …');
  const { days, orders, receipt, key } = await pushSampleShop({ ...deps, signal });
  say(`Pushed ${orders} orders with their costs, and the visits that led to them.`);
  const client = createClient({ url: deps.url, key, signal });
  if (receipt !== undefined) await client.wait(receipt);

  const range = `from=${days.at(-30)}&to=${days.at(-1)}`;
  const figures = (await client.request('GET', `/v1/metrics?${range}&include=statement,coverage`)) as Metrics & {
    statement: Statement;
    coverage: RangeCoverage;
  };
  // Credit comes after the figures: the client asks again until it is there.
  const after = receipt === undefined ? '' : `&after=${receipt}`;
  const { channels } = (await client.request('GET', `/v1/attribution?${range}${after}`)) as AttributionResponse;
  const row = (name: string, count: string, amount: string) =>
    `  ${name.padEnd(18)} ${count.padStart(6)} orders  ${amount.padStart(10)} EUR`;
  say(`\nThe last 30 days of "${SAMPLE_SHOP}"`);
  say(row('revenue', String(figures.orders), figures.revenue));
  say(row('earnings, at most', '', figures.statement.earnings).replace(' orders', '       '));
  say(`  ${figures.coverage.orders_without_cost} orders have a product without a unit cost.`);
  say('\nProfit by channel, after its ads');
  for (const { channel, orders: count, profit } of channels) say(row(channel, String(count), profit));
  say('');
  for (const hint of await hints(range)) say(`  ${hint}`);
}
