import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { runAudit } from '../../src/cli/commands/audit.js';
import { migrate } from '../../src/warehouse/migrations/migrations.js';
import { rebuildRollups, storedDays } from '../../src/warehouse/queries/rollups.js';
import { earlierDatabase, MIGRATIONS } from '../support/earlier-database.js';
import { METRICS } from '../support/earlier-statements/life-of-a-shop.js';
import { readRelease, RECORDED, replay } from '../support/earlier-statements/replay.js';
import type { Engines } from '../support/engines.js';
import { serviceEnvironment, startService } from '../support/service.js';
import { sharedEngines } from '../support/shared-engines.js';

/** Upgraded deployments: what runs still is of the release before, and the schema is the newest already. */
for (const name of RECORDED) {
  describe(`the release with migration ${name} beside the newest schema`, () => {
    const database = `earlier_release_${name}`;
    const { shop, before: first, after: then, answers } = readRelease(name);
    let server: Engines['clickhouse'];
    let env: NodeJS.ProcessEnv;
    let earlier: Awaited<ReturnType<typeof earlierDatabase>>;

    before(async () => {
      env = { ...(await serviceEnvironment()), CLICKHOUSE_DATABASE: database };
      server = (await sharedEngines()).clickhouse;
      earlier = await earlierDatabase(database, String(Number(name) + 1).padStart(3, '0'));
      // What was recorded may be older than some tables keep it.
      await earlier.warehouse.command('SYSTEM STOP TTL MERGES');
      await replay(first, server, database);
      await migrate(earlier.warehouse, { database, folder: MIGRATIONS });
    });
    after(async () => {
      await earlier.warehouse.command('SYSTEM START TTL MERGES');
      await earlier.drop();
    });

    it('writes and reads as before', () => replay(then, server, database));

    it('leaves the newest release nothing to correct', async () => {
      const service = await startService({ base: env, workers: false });
      try {
        const key = await service.key(shop);
        const read = async (path: string): Promise<unknown> => (await service.call('GET', path, { key })).body;
        for (const [path, body] of Object.entries(answers)) expect(await read(path), path).to.containSubset(body);
        const audited = await runAudit(service.stores, {
          shop,
          stderr: new PassThrough(),
          print: () => undefined,
          signal: new AbortController().signal,
        });
        expect(audited).to.deep.include({ differences: 0, behind: 0 });
        const days = await storedDays(earlier.warehouse, { shopId: shop });
        expect(days).to.have.length.above(5);
        await rebuildRollups(earlier.warehouse, days, service.stores.takeStamps);
        const now = `as_of=${new Date().toISOString()}`;
        for (const path of [METRICS, `${METRICS}&${now}`]) {
          expect(await read(path), path).to.containSubset(answers[METRICS]);
        }
      } finally {
        await service.stop();
      }
    });
  });
}
