import type { Writable } from 'node:stream';
import { createClient, type Client } from '../../client/index.js';
import type { Metrics } from '../../schemas/metrics.js';
import { pushSampleCosts, SAMPLE_GATEWAY } from './demo-costs.js';
import { readDemoMonth, type ExpectedDay } from './demo-month.js';
import { profitTable } from './demo-table.js';
import { RETAIL_TIMEZONE } from './online-retail-rows.js';

/** Options of `profit demo`. */
export interface DemoOptions {
  /** The address of the running service. */
  url: string;
  /** A secret key with all scopes, of a shop that is for trying out. */
  key: string;
  /** Where to look next, given the days of the table as a query: sentences that are printed at the end. */
  hints?: (range: string) => Promise<string[]>;
  stdout: Writable;
  signal: AbortSignal;
}

/** How a demo ended: 0 when every day equals the independent figures to the last digit, else 1. */
export interface DemoSummary {
  exitCode: 0 | 1;
  /** Days that do not equal, as sentences. */
  differences: string[];
}

/**
 * Shows the service with a real month of a British online shop: registers the source, pushes sample costs and the orders,
 * waits until the figures are complete, prints the profit by day and compares it with figures computed independently.
 * Running it again changes no figure.
 *
 * @throws ProfitApiError when the service refuses a step (another currency is registered, say), Error when the demo's data is
 *   missing, an order was rejected or the signal aborted
 */
export async function runDemo({ url, key, hints, stdout, signal }: DemoOptions): Promise<DemoSummary> {
  const say = (sentence: string) => void stdout.write(`${sentence}\n`);
  const client = createClient({ url, key, signal });
  const ask: Client['request'] = (...request) => client.request(...request);

  say('Reading December 2010 of "Online Retail" (Chen 2015, UCI, CC BY 4.0) …');
  const month = await readDemoMonth(SAMPLE_GATEWAY);
  await ask('PUT', '/v1/source', { platform: 'Online Retail', currency: 'GBP', timezone: RETAIL_TIMEZONE });
  const days = month.days.map((day) => day.date);
  const pushed = await pushSampleCosts(ask, month.orders, days);
  say(`Sample costs (the data set has none): ${pushed}.`);

  say(`Importing ${month.orders.length} orders …`);
  const { receipt, rejected } = await client.pushOrders(month.orders);
  if (rejected > 0) throw new Error(`${rejected} orders were rejected`);
  if (receipt !== undefined) await client.wait(receipt);
  const range = `from=${days[0]}&to=${days.at(-1)}`;

  const daily = (await ask('GET', `/v1/metrics/daily?${range}`)) as { days: (Metrics & { date: string })[] };
  const totals = (await ask('GET', `/v1/metrics?${range}`)) as Metrics;
  say(`\n${profitTable(daily.days, totals)}`);
  const differences = compare(daily.days, month.days);
  if (differences.length === 0)
    say(`All ${days.length} trading days equal the independent figures to the last digit.\n`);
  else say(`${differences.length} days differ (is there other data in this shop?):\n${differences.join('\n')}\n`);

  say('Where to look next:');
  for (const hint of (await hints?.(range)) ?? []) say(`  ${hint}`);
  say(`  ${url}/docs describes every endpoint`);
  return { exitCode: differences.length === 0 ? 0 : 1, differences };
}

function compare(reported: (Metrics & { date: string })[], expected: ExpectedDay[]): string[] {
  const byDate = new Map(expected.map((day) => [day.date, day]));
  return reported.flatMap((day) => {
    const wanted = byDate.get(day.date) ?? { orders: 0, revenue: '0.00', refunds: '0.00' };
    const fields = (['orders', 'revenue', 'refunds'] as const).filter((field) => day[field] !== wanted[field]);
    return fields.map((field) => `${day.date}: ${field} is ${day[field]}, not ${wanted[field]}`);
  });
}
