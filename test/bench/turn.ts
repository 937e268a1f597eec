import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as Client from '../../src/warehouse/client.js';
import type * as Views from '../../src/warehouse/migrations/materialized-views.js';
import type * as Migrations from '../../src/warehouse/migrations/migrations.js';
import type * as Rollups from '../../src/warehouse/queries/rollups.js';
import type { BenchContext } from './context.js';
import { engineMicros } from './engine-cpu.js';
import { interleaved, milliseconds, type Ratio, type Section } from './harness.js';
import type * as Orders from './orders.js';

const ROOT = join(import.meta.dirname, '../..');
const DAY = '2026-03-02';
/** What a turn computes: a day of so many shops, of which each has one order more than before. */
const CASES = [
  { what: 'a quiet day', shops: 1, orders: 18, atMost: 0.25 },
  { what: 'a day of 40,000 orders, one touched', shops: 1, orders: 40_000, atMost: 0.2 },
  { what: '60 shops', shops: 60, orders: 18, atMost: 0.35 },
] as const;

/**
 * CPU of the warehouse for the statements of one turn, from stored orders to their figures, against an earlier build: its sources in
 * `folder`, with their node_modules. Both have a database of their own on one engine.
 */
export const turnAgainst = (folder: string): Section<BenchContext> => ({
  name: 'turn',
  async run(context) {
    const { rounds, warehouse } = context;
    const [ours, earlier] = [await load(context, ROOT, 'ours'), await load(context, folder, 'earlier')];
    const ratios: Ratio[] = [];
    for (const { what, shops, orders, atMost } of CASES) {
      const days = Array.from({ length: shops }, (_, i) => ({ shopId: `turn-${orders}-${i}-of-${shops}`, day: DAY }));
      const turnsOf = (build: Build) => {
        let stored = 0;
        return async (): Promise<number> => {
          const count = stored === 0 ? orders : 1;
          for (const { shopId } of days) await build.add(shopId, `numbers(${stored}, ${count})`);
          stored += count;
          // Merges of what was added are no part of it.
          await warehouse.command('SYSTEM STOP MERGES');
          const before = await engineMicros(warehouse);
          await build.rebuild(days);
          const micros = (await engineMicros(warehouse)) - before;
          await warehouse.command('SYSTEM START MERGES');
          return micros / 1000;
        };
      };
      const { medians, spreads } = await interleaved(4 * rounds, { ours: turnsOf(ours), against: turnsOf(earlier) });
      const texts = { ours: milliseconds(medians.ours), against: milliseconds(medians.against) };
      const ratio = medians.ours / medians.against;
      ratios.push({ what: `CPU of a turn, ${what}`, ...texts, ratio, spread: spreads.ours, goal: { atMost } });
    }
    await Promise.all([ours.close(), earlier.close()]);
    return ratios;
  },
});

type Build = Awaited<ReturnType<typeof load>>;

async function load({ service, warehouse, takeStamps }: BenchContext, folder: string, database: string) {
  const at = (file: string): Promise<unknown> => import(join(folder, file));
  const { createWarehouse } = (await at('src/warehouse/client.ts')) as typeof Client;
  const { createDatabase, migrate } = (await at('src/warehouse/migrations/migrations.ts')) as typeof Migrations;
  const { rebuildRollups } = (await at('src/warehouse/queries/rollups.ts')) as typeof Rollups;
  const { writeOrderVersions } = (await at('test/bench/orders.ts')) as typeof Orders;
  const own = createWarehouse({ url: service.env.CLICKHOUSE_URL ?? '', database });
  const options = { database, folder: join(folder, 'clickhouse/schema') };
  await createDatabase(warehouse, options);
  await migrate(own, options);
  const views = join(folder, 'src/warehouse/migrations/materialized-views.ts');
  // Earlier builds made their views with the tables.
  if (existsSync(views)) {
    const { applyMaterializedViews } = (await import(views)) as typeof Views;
    await applyMaterializedViews(own, { folder: join(folder, 'clickhouse/views') });
  }
  const history = { orders: 1, firstDay: DAY, days: 0, articles: 2_000 };
  return {
    add: (shopId: string, source: string) => writeOrderVersions(own, { shopId, ...history }, { source, version: 1 }),
    rebuild: (days: readonly Rollups.RollupDay[]) => rebuildRollups(own, days, takeStamps),
    close: () => own.close(),
  };
}
