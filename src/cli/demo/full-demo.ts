import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fieldsOf, isFields } from '../../domain/fields.js';
import { inChunks } from '../../domain/in-chunks.js';
import { formatScaled } from '../../domain/money.js';
import type { AttributionResponse } from '../../schemas/attribution.js';
import type { Metrics, RangeCoverage, Statement } from '../../schemas/metrics.js';
import { createClient, type Client } from '../../client/index.js';
import type { DemoSummary, LentKey } from './demo.js';
import { profitTable } from './demo-table.js';
import type { Entry, FullShop } from './full-orders.js';
import { FULL_SHOP_ZONE, makeFullShop } from './full-shop.js';

export interface FullDemoOptions {
  url: string;
  /** Keys of one shop that is for trying out. */
  lendKey: (kind: 'secret' | 'pixel') => Promise<LentKey>;
  /** Where to look next, given the days of the table as a query. */
  hints?: (range: string) => Promise<string[]>;
  now: number;
  /** How long the figures may take to be complete, in milliseconds. Default 2 minutes. */
  waitMs?: number;
  stdout: Writable;
  signal: AbortSignal;
}

type Ask = Client['request'];
type Figures = Metrics & { statement: Statement };

const POLL_MS = 500;
const EVENTS_PER_BATCH = 20;

/**
 * Shows the service with a made-up shop of which all is known that may be: taxes, packing, expenses, refunds, three channels and
 * visits. Compares each figure of each day, of the range and of each channel with the books that were kept while the shop was made.
 */
export async function runFullDemo({
  url,
  stdout,
  signal,
  waitMs = 120_000,
  ...options
}: FullDemoOptions): Promise<DemoSummary> {
  const secret = await options.lendKey('secret');
  try {
    const pixel = await options.lendKey('pixel');
    try {
      const shop = makeFullShop(options.now);
      const asking = (key: string): Ask => {
        const client = createClient({ url, key, signal });
        return (...request) => client.request(...request);
      };
      const ask = asking(secret.key);
      stdout.write(
        `Pushing ${shop.orders.length} orders with their costs, and ${shop.events.length} events of visitors …\n`,
      );
      await push(shop, ask, asking(pixel.key));

      const range = `from=${shop.days[0]}&to=${shop.days.at(-1)}`;
      let answers = await read(ask, range);
      const until = performance.now() + waitMs;
      while (compare(shop, answers).length > 0 && performance.now() < until) {
        await sleep(POLL_MS, undefined, { signal });
        answers = await read(ask, range);
      }
      const differences = compare(shop, answers);
      stdout.write(shown(answers));
      const sentence =
        differences.length === 0
          ? `All figures of ${shop.days.length} days and ${answers.channels.length} channels equal the books to the last digit.`
          : `${differences.length} figures differ (is there other data in this shop?):\n${differences.join('\n')}`;
      stdout.write(`${sentence}\n\n`);
      for (const hint of (await options.hints?.(range)) ?? []) stdout.write(`  ${hint}\n`);
      return { exitCode: differences.length === 0 ? 0 : 1, differences };
    } finally {
      await pixel.giveBack();
    }
  } finally {
    await secret.giveBack();
  }
}

async function push(shop: FullShop, ask: Ask, collect: Ask): Promise<void> {
  await ask('PUT', '/v1/source', { platform: 'Tea shop', currency: 'EUR', timezone: FULL_SHOP_ZONE });
  for (const events of inChunks(shop.events, EVENTS_PER_BATCH)) await collect('POST', '/v1/collect', { events });
  await ask('PUT', '/v1/products/costs', { costs: shop.productCosts });
  await ask('PUT', '/v1/costs/gateway-fees', { rules: shop.feeRules });
  await ask('POST', '/v1/costs/spend', { rows: shop.spend });
  for (const expense of shop.expenses) await ask('POST', '/v1/costs/expenses', expense);
  await ask('PUT', '/v1/costs/orders', { costs: shop.orderCosts });
  await ask('POST', '/v1/orders', { orders: shop.orders });
}

interface Answers {
  days: (Figures & { date: string })[];
  totals: Figures & { coverage: RangeCoverage };
  channels: AttributionResponse['channels'];
}

async function read(ask: Ask, range: string): Promise<Answers> {
  const daily = (await ask('GET', `/v1/metrics/daily?${range}&include=statement`)) as Pick<Answers, 'days'>;
  const totals = (await ask('GET', `/v1/metrics?${range}&include=statement,coverage`)) as Answers['totals'];
  const { channels } = (await ask('GET', `/v1/attribution?${range}`)) as AttributionResponse;
  return { ...daily, totals, channels };
}

const PARTS = ['gross_sales', 'discounts', 'shipping', 'tips', 'duties', 'rounding_adjustment', 'tax_added', 'tax'];
const COSTS = ['fulfillment_costs', 'operating_expenses'];
const COUNTS = ['orders_without_cost', 'orders_fee_estimated', 'orders_without_tax', 'orders_without_fulfillment'];

/** Figures of entries, by code that those of the service have no part in. */
function figuresOf(entries: readonly Entry[]) {
  const of = (figure: string): bigint =>
    entries.reduce((sum, entry) => (entry.figure === figure ? sum + entry.amount : sum), 0n);
  const money = (micros: bigint): string => formatScaled(micros, 6);
  const ratio = (part: bigint, whole: bigint): string | null =>
    whole === 0n ? null : money((2n * part * 1_000_000n + whole) / (2n * whole));
  const amounts = (names: string[]) => Object.fromEntries(names.map((name) => [name, money(of(name))]));
  const netProfit = of('revenue') - of('refunds') - of('cogs') - of('gateway_fees') - of('ad_spend');
  const taxes = of('tax') - of('tax_refunded');
  const earnings = netProfit - taxes - of('fulfillment_costs') - of('operating_expenses');
  const credit = {
    orders: Number(of('orders')),
    revenue: money(of('revenue')),
    net_revenue: money(of('revenue') - of('refunds')),
  };
  const shared = { ...credit, ...amounts(['refunds', 'cogs', 'gateway_fees', 'ad_spend']) };
  return {
    credit,
    channel: { ...shared, profit: money(netProfit) },
    metrics: {
      ...shared,
      net_profit: money(netProfit),
      aov: ratio(of('revenue'), of('orders') * 1_000_000n),
      mer: ratio(of('ad_spend'), of('revenue')),
      blended_roas: ratio(of('revenue'), of('ad_spend')),
      statement: {
        ...amounts([...PARTS, 'tax_refunded', ...COSTS]),
        taxes: money(taxes),
        earnings: money(earnings),
      },
    },
    coverage: {
      orders: credit.orders,
      ...Object.fromEntries([...COUNTS, 'refunds_without_tax'].map((name) => [name, Number(of(name))])),
      ...amounts(['revenue_without_cost']),
    },
  };
}

function compare({ days, books }: FullShop, answers: Answers): string[] {
  const inRange = books.filter(({ day }) => days.includes(day));
  const { metrics, coverage } = figuresOf(inRange);
  const channels = new Set(inRange.flatMap(({ channel }) => (channel === '' ? [] : [channel])));
  return [
    ...days.flatMap((day, i) =>
      differing(day, answers.days[i], figuresOf(books.filter((entry) => entry.day === day)).metrics),
    ),
    ...differing('all days', answers.totals, { ...metrics, coverage }),
    ...[...channels].flatMap((channel) => {
      const own = inRange.filter((entry) => entry.channel === channel);
      const by = (evidence: string) => figuresOf(own.filter((entry) => entry.evidence === evidence)).credit;
      const parts = { proved: by('proved'), claimed: by('claimed'), ambiguous: by('ambiguous') };
      const row = answers.channels.find((one) => one.channel === channel);
      return differing(channel, row, { ...figuresOf(own).channel, ...parts });
    }),
  ];
}

/** Fields of `wanted` that the answer has not, as sentences. */
function differing(name: string, answer: unknown, wanted: object): string[] {
  const given = fieldsOf(answer);
  return Object.entries(wanted).flatMap(([field, value]: [string, unknown]) => {
    if (isFields(value)) return differing(`${name} ${field}`, given[field], value);
    return given[field] === value ? [] : [`${name}: ${field} is ${String(given[field])}, not ${String(value)}`];
  });
}

function shown({ days, totals, channels }: Answers): string {
  const { statement, coverage } = totals;
  const amounts = Object.entries(statement).map(([name, amount]) => `  ${name.padEnd(20)} ${amount.padStart(12)}`);
  const rows = channels.map(
    ({ channel, orders, profit, proved, claimed, ambiguous }) =>
      `  ${channel.padEnd(16)} ${String(orders).padStart(4)} orders  profit ${profit.padStart(10)}  ` +
      `${proved.orders} proved, ${claimed.orders} claimed, ${ambiguous.orders} unclear`,
  );
  const unknown =
    `Not known: the cost of goods of ${coverage.orders_without_cost} orders, the packing of ` +
    `${coverage.orders_without_fulfillment}, the tax of ${coverage.orders_without_tax} orders and ` +
    `${coverage.refunds_without_tax} refunds. Fees of ${coverage.orders_fee_estimated} orders are estimated.`;
  return `\n${profitTable(days, totals)}\nStatement\n${amounts.join('\n')}\n\nChannels\n${rows.join('\n')}\n\n${unknown}\n\n`;
}
