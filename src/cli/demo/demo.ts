import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Readable, Writable } from 'node:stream';
import { apiError, createApiClient, type ApiClient } from '../import/api-client.js';
import { pushSampleCosts, SAMPLE_GATEWAY, type Ask } from './demo-costs.js';
import { readDemoMonth, totalsOf, type DemoMonth, type ExpectedDay } from './demo-month.js';
import { profitTable } from './demo-table.js';
import type { Metrics } from '../../schemas/metrics.js';
import { runImportOrders } from '../import/import-orders.js';
import { RETAIL_TIMEZONE } from './online-retail-rows.js';
import { createPatience } from '../import/patience.js';

/** Options of `profit demo`. */
export interface DemoOptions {
  /** The address of the running service. */
  url: string;
  /** Gives a secret key with all scopes, of a shop that is for trying out. */
  lendKey: () => Promise<LentKey>;
  /** Where to look next, given the days of the table as a query: sentences that are printed at the end. */
  hints?: (range: string) => Promise<string[]>;
  /** How long the figures may take to be complete, in milliseconds. Default 2 minutes. */
  waitMs?: number;
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean };
  signal: AbortSignal;
}

/** A key, and what is done with it when the demo is over, however it ends. */
export interface LentKey {
  key: string;
  giveBack: () => Promise<void>;
}

/** A key that is there anyway and stays. */
export const ownKey = (key: string) => (): Promise<LentKey> =>
  Promise.resolve({ key, giveBack: () => Promise.resolve() });

/** How a demo ended: 0 when every day equals the independent figures to the last digit, else 1. */
export interface DemoSummary {
  exitCode: 0 | 1;
  /** Days that do not equal, as sentences. */
  differences: string[];
}

const POLL_MS = 250;
const STILL_MS = 1_000;
const STILL_AMONG_OTHERS_MS = 5_000;

/**
 * Shows the service with a real month of a British online shop: registers the source, pushes sample costs and the orders,
 * waits until the figures are complete, prints the profit by day and compares it with figures computed independently.
 * Running it again changes no figure.
 *
 * @throws ApiError when the service refuses a step (another currency is registered, say), Error when the demo's data is
 *   missing, the import did not go through or the signal aborted
 */
export async function runDemo(options: DemoOptions): Promise<DemoSummary> {
  const { key, giveBack } = await options.lendKey();
  try {
    return await showMonth(options, key);
  } finally {
    await giveBack();
  }
}

async function showMonth(options: DemoOptions, key: string): Promise<DemoSummary> {
  const { stdout, stderr, signal } = options;
  const say = (sentence: string) => void stdout.write(`${sentence}\n`);
  const client = createApiClient({ url: options.url, key });
  const ask = patientAsk(client, signal);

  say('Reading December 2010 of "Online Retail" (Chen 2015, UCI, CC BY 4.0) …');
  const month = await readDemoMonth(SAMPLE_GATEWAY);
  await ask('PUT', '/v1/source', { platform: 'Online Retail', currency: 'GBP', timezone: RETAIL_TIMEZONE });
  const days = month.days.map((day) => day.date);
  const pushed = await pushSampleCosts(ask, month.orders, days);
  say(`Sample costs (the data set has none): ${pushed}.`);

  say(`Importing ${month.orders.length} orders …`);
  await importMonth(month, { url: client.url, key, stderr, signal });
  const range = `from=${days[0]}&to=${days.at(-1)}`;
  await complete(ask, range, totalsOf(month.days), { waitMs: options.waitMs ?? 120_000, signal });

  const daily = (await ask('GET', `/v1/metrics/daily?${range}`)) as { days: (Metrics & { date: string })[] };
  const totals = (await ask('GET', `/v1/metrics?${range}`)) as Metrics;
  say(`\n${profitTable(daily.days, totals)}`);
  const differences = compare(daily.days, month.days);
  if (differences.length === 0)
    say(`All ${days.length} trading days equal the independent figures to the last digit.\n`);
  else say(`${differences.length} days differ (is there other data in this shop?):\n${differences.join('\n')}\n`);

  say('Where to look next:');
  for (const hint of (await options.hints?.(range)) ?? []) say(`  ${hint}`);
  say(`  ${client.url}/docs describes every endpoint`);
  return { exitCode: differences.length === 0 ? 0 : 1, differences };
}

/** Asks again as long as the service says so. */
export function patientAsk(
  client: ApiClient,
  signal: AbortSignal,
): (...args: [string, string, unknown?]) => ReturnType<Ask> {
  const patience = createPatience({ retryForMs: 60_000, signal });
  return async (method, path, json) => {
    const answer = await patience.send(() => client.request(method, path, json === undefined ? undefined : { json }));
    if (answer.status < 200 || answer.status > 299) throw apiError(answer, `${method} ${path}`);
    return answer.body;
  };
}

async function importMonth(
  month: DemoMonth,
  target: { url: string; key: string; stderr: DemoOptions['stderr']; signal: AbortSignal },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'profit-demo-'));
  try {
    const file = join(folder, 'orders.ndjson');
    await writeFile(file, month.orders.map((order) => `${JSON.stringify(order)}\n`).join(''));
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done() });
    const summary = await runImportOrders({ ...target, file, stdin: Readable.from([]), stdout });
    if (summary.outcome === 'stopped') throw new Error(`the import stopped: ${summary.reason ?? ''}`);
    if (summary.rejected > 0) throw new Error(`${summary.rejected} orders were rejected`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Waits until the range comes to exactly what was pushed and no longer changes. With other data in the shop that never comes:
 * then standing still for a while with no order missing is enough. After `waitMs` the table tells what is missing.
 */
async function complete(
  ask: ReturnType<typeof patientAsk>,
  range: string,
  expected: Omit<ExpectedDay, 'date'>,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<void> {
  const until = Date.now() + waitMs;
  let before = '';
  let stillSince = 0;
  while (Date.now() < until) {
    const figures = (await ask('GET', `/v1/metrics?${range}`)) as Metrics;
    const text = JSON.stringify(figures);
    if (text !== before) stillSince = Date.now();
    before = text;
    const { orders, revenue, refunds } = figures;
    const exact = orders === expected.orders && revenue === expected.revenue && refunds === expected.refunds;
    const enough = exact ? STILL_MS : orders >= expected.orders ? STILL_AMONG_OTHERS_MS : Infinity;
    if (Date.now() - stillSince >= enough) return;
    await sleep(POLL_MS, undefined, { signal });
  }
}

function compare(reported: (Metrics & { date: string })[], expected: ExpectedDay[]): string[] {
  const byDate = new Map(expected.map((day) => [day.date, day]));
  return reported.flatMap((day) => {
    const wanted = byDate.get(day.date) ?? { orders: 0, revenue: '0.00', refunds: '0.00' };
    const fields = (['orders', 'revenue', 'refunds'] as const).filter((field) => day[field] !== wanted[field]);
    return fields.map((field) => `${day.date}: ${field} is ${day[field]}, not ${wanted[field]}`);
  });
}
