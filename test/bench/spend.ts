import type { SpendInput } from '../../src/domain/costs/spend.js';
import { formatDay, parseDay } from '../../src/domain/time.js';
import { NO_HEAD } from '../../src/warehouse/columns/json-rows.js';
import { insertRows } from '../../src/warehouse/insert-rows.js';
import { encodeSpend } from '../../src/warehouse/queries/spend.js';
import type { BenchContext } from './context.js';
import { interleaved, perSecond, type Section } from './harness.js';
import { openQueues } from './queues.js';

const BATCHES = 80;
const BATCH_SIZE = 500;
const ROWS = BATCHES * BATCH_SIZE;
/** Jobs that the worker joins to one insert. */
const ROWS_PER_INSERT = 40 * BATCH_SIZE;
const FIRST_DAY = parseDay('2025-01-01') ?? 0;
const DAYS = 365;
const CHANNELS = 4;
const CAMPAIGNS = 30;

/**
 * Rows of ad spend a second: through the API into the queue, and from the full queue into the warehouse with the rollups of
 * their days, each against inserting the same rows ready-made.
 */
export const spend: Section<BenchContext> = {
  name: 'spend',
  async run({ rounds, service, warehouse, newShop }) {
    const worker = service.startWorker();
    const queues = openQueues(service.redisUrl, ['spend']);
    const { shopId, key } = await newShop('spend');
    let acceptedPerSecond = 0;
    try {
      const { medians, spreads } = await interleaved(rounds, {
        async drained(round) {
          await queues.pause();
          const bodies = batches(round);
          const acceptStart = performance.now();
          for (const body of bodies) await push(`${service.url}/v1/costs/spend`, key, body);
          acceptedPerSecond = (1000 * ROWS) / (performance.now() - acceptStart);
          const startedAt = performance.now();
          await queues.resume();
          await queues.emptied();
          return (1000 * ROWS) / (performance.now() - startedAt);
        },
        async raw(round) {
          const rows = rowsOf(round).map((row, i) => ({ row, channel: `custom:${row.channel}`, stamp: 1 + i }));
          const inserts: Buffer[] = [];
          for (let from = 0; from < ROWS; from += ROWS_PER_INSERT) {
            inserts.push(encodeSpend(`${shopId}-raw`, rows.slice(from, from + ROWS_PER_INSERT)).spend);
          }
          const startedAt = performance.now();
          for (const rows of inserts) await insertRows(warehouse, 'ad_spend', [{ head: NO_HEAD, rows }]);
          return (1000 * ROWS) / (performance.now() - startedAt);
        },
      });
      const { drained, raw } = medians;
      const line = (what: string, ours: number, atLeast: number) => ({
        what,
        ours: perSecond(ours),
        against: perSecond(raw),
        ratio: ours / raw,
        goal: { atLeast },
        spread: spreads.drained,
      });
      return [
        line('accepted spend rows, against raw inserts of the rows', acceptedPerSecond, 0.05),
        line('drained spend rows, against raw inserts of the rows', drained, 0.05),
      ];
    } finally {
      await queues.close();
      await worker.stop();
    }
  },
};

function rowsOf(round: number): SpendInput[] {
  return Array.from({ length: ROWS }, (_, i) => ({
    channel: `channel-${i % CHANNELS}`,
    event_date: formatDay(FIRST_DAY + (Math.floor(i / (CHANNELS * CAMPAIGNS)) % DAYS)),
    currency: 'GBP',
    spend: `${1 + ((i + round) % 90)}.25`,
    impressions: i,
    clicks: i % 100,
    campaign_id: `campaign-${Math.floor(i / CHANNELS) % CAMPAIGNS}`,
    campaign_name: `Campaign ${Math.floor(i / CHANNELS) % CAMPAIGNS}`,
  }));
}

function batches(round: number): string[] {
  const rows = rowsOf(round);
  return Array.from({ length: BATCHES }, (_, i) =>
    JSON.stringify({ rows: rows.slice(i * BATCH_SIZE, (i + 1) * BATCH_SIZE) }),
  );
}

async function push(url: string, key: string, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`a push of spend was answered with ${response.status}: ${text}`);
}
