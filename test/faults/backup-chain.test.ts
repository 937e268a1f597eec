import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runBackup } from '../../src/cli/backup/backup.js';
import { runRestore } from '../../src/cli/backup/restore.js';
import type { Manifest } from '../../src/cli/backup/manifest.js';
import { contentOf, storedTables } from '../../src/warehouse/backup/tables.js';
import { startDeployment, type Deployment } from '../support/backup-deployment.js';
import { createRandom } from '../support/generated-orders.js';

/** One without keys, one whose rows replace others. */
const TABLES = ['day_causes', 'order_checkouts'] as const;
const STEPS = 12;
const SEED = 20260301;
const STEP_ROWS = 60;

describe('a chain of backups in increments', function () {
  this.timeout(600_000);
  let folder: string;
  let source: Deployment;
  const at = (name: string | number): string => join(folder, String(name));
  const run = (sql: string): Promise<void> => source.service.stores.warehouse.command(sql);
  const backUp = (to: string | number, since?: string | number): Promise<Manifest> =>
    runBackup(source.service.stores, {
      ...source.options,
      folder: at(to),
      ...(since !== undefined && { since: at(since) }),
    });
  const contentsOf = async ({ service }: Deployment) => {
    const tables = await storedTables(service.stores.warehouse, 'profit');
    const own = tables.filter(({ name }) => TABLES.some((table) => table === name));
    return Promise.all(own.map((table) => contentOf(service.stores.warehouse, 'profit', table)));
  };
  /** Of few values, so that many are equal. */
  const insertInto = (table: (typeof TABLES)[number], seed: number, firstDay = '2026-01-01'): Promise<void> => {
    const value = (of: number, column: string): string => `cityHash64(${seed}, '${column}', number) % ${of}`;
    const from = `FROM numbers(1 + ${seed} % ${STEP_ROWS})`;
    return run(
      table === 'day_causes'
        ? `INSERT INTO day_causes SELECT 's', toDate('${firstDay}') + ${value(50, 'day')} AS day,
             toUnixTimestamp(day) * 1000000, 'refund', ${value(7, 'items')}, [] ${from}`
        : `INSERT INTO order_checkouts SELECT 's', toString(${value(400, 'token')}), 'o', ${value(3, 'version')} ${from}`,
    );
  };
  const partOf = async (table: string, n: number): Promise<string | undefined> => {
    const parts = await source.service.stores.warehouse.query<{ name: string }>(
      `SELECT name FROM system.parts WHERE database = 'profit' AND table = {table:String} AND active ORDER BY name`,
      { table },
    );
    return parts[n % parts.length]?.name;
  };

  /** Restored into a deployment of its own, it has the rows that the source has now. */
  const requireSame = async (backup: string): Promise<void> => {
    const target = await startDeployment();
    try {
      const { producer } = target.service.deps;
      await runRestore(target.service.stores, { ...target.options, producer, folder: at(backup) });
      expect(await contentsOf(target)).to.deep.equal(await contentsOf(source));
    } finally {
      await target.stop();
    }
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'profit-chain-'));
    source = await startDeployment();
  });
  after(async () => {
    await source.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('keeps the copies of a row that parts without changes have, when another part with that row is lost', async () => {
    await run('SYSTEM STOP MERGES day_causes');
    for (let i = 0; i < 3; i++) await insertInto('day_causes', 59);
    await backUp('three');
    await run(`ALTER TABLE day_causes DROP PART '${(await partOf('day_causes', 0)) ?? ''}'`);
    await backUp('two', 'three');
    await insertInto('day_causes', 59);
    await backUp('again', 'two');
    await run('SYSTEM START MERGES day_causes');
    await requireSame('again');
    expect((await contentsOf(source)).map(({ rows }) => rows)).to.deep.equal(['180', '0']);
  });

  it('brings every row back as often as it was, after any changes, part by part', async () => {
    const random = createRandom(SEED);
    const below = (limit: number): number => Math.floor(random() * limit);
    // No part is merged between the look at it and its end.
    const ofPart = async (table: string, work: (part: string) => Promise<void>): Promise<void> => {
      await run(`SYSTEM STOP MERGES ${table}`);
      const part = await partOf(table, below(100));
      if (part !== undefined) await work(part);
      await run(`SYSTEM START MERGES ${table}`);
    };
    const changes: readonly ((table: (typeof TABLES)[number]) => Promise<void>)[] = [
      (table) => insertInto(table, below(1_000)),
      (table) => insertInto(table, below(1_000)),
      (table) => run(`INSERT INTO ${table} SELECT * FROM ${table} WHERE rand() % 3 = 0`),
      (table) => run(`OPTIMIZE TABLE ${table} FINAL`),
      (table) => run(`OPTIMIZE TABLE ${table}`),
      () => run(`ALTER TABLE day_causes DELETE WHERE items = ${below(7)} SETTINGS mutations_sync = 2`),
      () => run(`DELETE FROM day_causes WHERE items = ${below(7)}`),
      () => insertInto('day_causes', below(1_000), '2020-01-01'),
      () => run('ALTER TABLE day_causes MATERIALIZE TTL SETTINGS mutations_sync = 2'),
      (table) => ofPart(table, (part) => run(`ALTER TABLE ${table} DROP PART '${part}'`)),
      (table) =>
        ofPart(table, async (part) => {
          await run(`ALTER TABLE ${table} DETACH PART '${part}'`);
          await run(`ALTER TABLE ${table} ATTACH PART '${part}'`);
        }),
    ];
    for (let step = 0; step < STEPS; step++) {
      for (let i = below(3); i >= 0; i--) {
        await changes[below(changes.length)]?.(TABLES[below(TABLES.length)] ?? 'day_causes');
      }
      await backUp(step, step === 0 ? 'again' : step - 1);
    }
    await run('ALTER TABLE day_causes MATERIALIZE TTL SETTINGS mutations_sync = 2');
    await backUp('last', STEPS - 1);
    await requireSame('last');
  });
});
