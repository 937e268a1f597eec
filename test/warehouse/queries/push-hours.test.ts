import { expect } from 'chai';
import { WINDOWS } from '../../../src/domain/ingest-status.js';
import { INGEST_KINDS, type IngestHeader } from '../../../src/domain/ingest.js';
import type { Warehouse } from '../../../src/warehouse/client.js';
import { writeIngestLog } from '../../../src/warehouse/queries/ingest-log.js';
import { createIngestStatusReader } from '../../../src/warehouse/queries/ingest-status.js';
import { createMetricsReader } from '../../../src/warehouse/queries/metrics.js';
import { countPassedHours, readCountedUntil } from '../../../src/warehouse/queries/push-hours.js';
import { createReceivedReader } from '../../../src/warehouse/queries/push-times.js';
import { ownDatabase } from '../../support/database.js';
import { createRandom } from '../../support/generated-orders.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SHOPS = ['shop', "shop'2"];
const CODES = ['sum_mismatch', 'invalid_money', 'unknown_field'] as const;
const STEPS = 24;

const beginOf = (ms: number): number => ms - (ms % HOUR);

/** The status of a shop, counted from the pushes one by one. */
function expectedStatus(pushes: readonly IngestHeader[], nowMs: number) {
  return Object.fromEntries(
    INGEST_KINDS.map((kind) => {
      const own = pushes.filter((push) => push.kind === kind);
      const accepted = own.filter((push) => push.accepted > 0).map((push) => push.received_at);
      const windows = Object.fromEntries(
        Object.entries(WINDOWS).map(([name, hours]) => {
          const within = own.filter((push) => push.received_at >= beginOf(nowMs - hours * HOUR));
          const sum = (outcome: 'accepted' | 'rejected' | 'superseded') =>
            within.reduce((total, push) => total + push[outcome], 0);
          return [name, { accepted: sum('accepted'), rejected: sum('rejected'), superseded: sum('superseded') }];
        }),
      );
      const recent = own.filter((push) => push.received_at >= beginOf(nowMs - WINDOWS['30d'] * HOUR));
      const newestFirst = recent.sort((a, b) => b.received_at - a.received_at || (a.batch_id < b.batch_id ? 1 : -1));
      const codes = CODES.map((code) => {
        const found = newestFirst.flatMap((push) => push.errors.filter((error) => error.code === code));
        const count = found.reduce((total, error) => total + error.count, 0);
        return { code, count, sample_message: found[0]?.sample };
      });
      const top = codes.filter(({ count }) => count > 0);
      top.sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
      const last = accepted.length === 0 ? null : new Date(Math.max(...accepted)).toISOString();
      return [kind, { last_received_at: last, windows, top_error_codes: top }];
    }),
  );
}

describe('the counted hours of the ingest log', () => {
  let warehouse: Warehouse;
  let drop: () => Promise<void>;

  before(async () => {
    ({ warehouse, drop } = await ownDatabase('push_hours_test'));
  });
  after(() => drop());

  it('give what counting every push once gives, however often, late and half each was written', async () => {
    const random = createRandom(11);
    const int = (below: number): number => Math.floor(random() * below);
    let nowMs = Date.now() - 40 * DAY;
    let stamp = 1_000;
    const deps = { warehouse, now: () => nowMs, takeStamps: () => Promise.resolve(++stamp) };
    // Weeks pass in seconds here, so what was counted a minute ago says nothing.
    const countedUntil = () => readCountedUntil(warehouse);
    const readStatus = createIngestStatusReader(warehouse, {
      countedUntil,
      metrics: createMetricsReader(warehouse),
      rulesOf: () => Promise.resolve([]),
    });
    const readReceived = createReceivedReader(warehouse, countedUntil);
    const stored: IngestHeader[] = [];

    const makePush = (): IngestHeader => {
      // Mostly of this moment, often from the edge of a window, at times from a queue that stood still for days.
      const late = [0, 0, int(HOUR), 2 * HOUR + int(HOUR), int(5 * DAY)][int(5)] ?? 0;
      const codes = CODES.filter(() => random() < 0.2);
      return {
        shop_id: SHOPS[int(SHOPS.length)] ?? '',
        kind: INGEST_KINDS[int(INGEST_KINDS.length)] ?? 'orders',
        batch_id: `batch-${int(1_000_000_000)}`,
        received_at: nowMs - late - int(3) * int(60_000),
        accepted: int(3) * int(200),
        rejected: codes.length,
        superseded: int(2),
        errors: codes.map((code) => ({ code, count: 1 + int(9), sample: `${code} ${int(1_000)}` })),
      };
    };
    const check = async (): Promise<void> => {
      for (const shopId of SHOPS) {
        const own = stored.filter((push) => push.shop_id === shopId);
        const { kinds } = await readStatus(shopId, { nowMs, today: Math.floor(nowMs / DAY) });
        expect(kinds, `at ${new Date(nowMs).toISOString()}`).to.deep.equal(expectedStatus(own, nowMs));
        for (const [kind, { firstMs, lastMs }] of await readReceived(shopId)) {
          const times = own.filter((push) => push.kind === kind && push.accepted > 0).map((push) => push.received_at);
          expect([firstMs, lastMs]).to.deep.equal([Math.min(...times), Math.max(...times)]);
        }
      }
    };

    for (let step = 0; step < STEPS; step++) {
      nowMs += [int(60_000), int(3 * HOUR), int(2 * DAY)][int(3)] ?? 0;
      const again = stored.filter(() => random() < 0.05);
      const fresh = Array.from({ length: 1 + int(12) }, makePush);
      // A worker that was killed has stored the rows and counted nothing; the next one writes them with others.
      if (random() < 0.3) await writeIngestLog({ ...deps, now: () => 0 }, fresh);
      const flushes = [fresh.slice(0, 6), [...fresh.slice(6), ...again]].map((flush) => writeIngestLog(deps, flush));
      const count = async (): Promise<void> => {
        while (random() < 0.7 && (await countPassedHours(deps)));
      };
      await Promise.all([...flushes, count()]);
      stored.push(...fresh);
      if (random() < 0.3) await check();
    }
    while (await countPassedHours(deps));
    await check();
    const [counted] = await warehouse.query<{ until: string }>(
      "SELECT toString(toUnixTimestamp(max(hour))) AS until FROM push_hours WHERE shop_id = ''",
    );
    expect(Number(counted?.until) * 1_000).to.be.within(nowMs - 4 * HOUR, nowMs - 3 * HOUR);
  });
});
