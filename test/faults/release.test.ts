import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readManifest } from '../../src/cli/backup/manifest.js';
import { runMigrate } from '../../src/cli/commands/migrate.js';
import { loadConfig } from '../../src/config.js';
import { createWarehouse } from '../../src/warehouse/client.js';
import { createDatabase, migrate } from '../../src/warehouse/migrations/migrations.js';
import { storedTables } from '../../src/warehouse/backup/tables.js';
import { trySignIn } from '../console/support.js';
import { SCHEMA } from '../support/database.js';
import { startEngines, type Engines } from '../support/engines.js';
import { answersOf, faultsOf, FIXTURES, readExpected, storedOf } from '../support/release-answers.js';
import { differencesOf, releaseEnvironment, restore, retry } from '../support/release-deployment.js';
import { SHOP } from '../support/release-shop.js';
import { startService, type Service } from '../support/service.js';
import { hookStates, sendHook } from '../support/shopify-hooks.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Makes the tables as the release of the backup had them, of which no row expires: a fixture is older every day. */
async function makeTables(env: NodeJS.ProcessEnv, files: readonly string[]): Promise<void> {
  const { clickhouseUrl: url = '', clickhouseDatabase: database } = loadConfig(env);
  const folder = temporaryFolder('release-schema');
  for (const file of files) cpSync(join(SCHEMA, file), join(folder, file));
  const admin = createWarehouse({ url, database: 'system' });
  const warehouse = createWarehouse({ url, database });
  await createDatabase(admin, { database });
  await migrate(warehouse, { database, folder });
  for (const { name, hasTtl } of await storedTables(warehouse, database))
    if (hasTtl) await warehouse.command(`ALTER TABLE ${name} REMOVE TTL`);
  await Promise.all([admin.close(), warehouse.close()]);
}

const RELEASES = readdirSync(FIXTURES).filter((name) => name.startsWith('release-'));

describe('what a release wrote', function () {
  this.timeout(300_000);
  let engines: Engines;
  let service: Service | undefined;
  beforeEach(async () => {
    engines = await startEngines();
  });
  afterEach(async () => {
    await service?.stop();
    await engines.stop();
  });

  for (const release of RELEASES)
    it(`is read after an upgrade: backup, jobs, keys and settings of ${release}`, async () => {
      const expected = readExpected(join(FIXTURES, release));
      const backup = join(temporaryFolder('release'), 'backup');
      mkdirSync(backup, { mode: 0o700 });
      cpSync(join(FIXTURES, release, 'backup'), backup, { recursive: true });
      const { migrations } = await readManifest(backup);
      const base = releaseEnvironment(engines);
      await makeTables(base, Object.keys(migrations));
      const old = await startService({ base, workers: false });
      await restore(old, backup).finally(() => old.stop());

      await runMigrate(loadConfig(base));
      const upgraded = (service = await startService({ base }));
      expect(await retry(upgraded, expected.dead_letter), 'the dead letter').to.equal(true);
      await upgraded.settled();
      expect(await differencesOf(upgraded), 'the audit').to.deep.equal([]);
      const answers = await answersOf(upgraded, Object.keys(expected.answers));
      expect(faultsOf(expected.answers, answers)).to.deep.equal([]);
      expect(faultsOf(expected.stored, await storedOf(upgraded, expected.made_at))).to.deep.equal([]);

      const address = { 'X-Forwarded-For': '10.1.1.1' };
      expect((await trySignIn(upgraded, SHOP.person, address)).status, 'a person with the password').to.equal(204);
      const { hook_id } = expected.answers['/v1/hooks/shopify'] as { hook_id: string };
      const { topic, body } = hookStates(9).paid;
      const hook = await sendHook(upgraded, hook_id, body, { topic, secret: SHOP.hookSecret });
      expect(hook.body.outcome, 'a hook signed with the secret').to.equal('accepted');
    });
});
