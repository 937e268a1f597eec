import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { runMigrate } from '../../src/cli/commands/migrate.js';
import { loadConfig } from '../../src/config.js';
import { biUser, changeBiUsers, readBiUsers } from '../../src/embedded/engines/bi-users.js';
import { ENGINE_KEY_HEADER } from '../../src/embedded/engines/clickhouse-config.js';
import { createBiUsers } from '../../src/warehouse/bi/users.js';
import { createWarehouse } from '../../src/warehouse/client.js';
import { startEngines, type Engines } from '../support/engines.js';

const PASSWORD = 'of-the-first-release';
const passwordSha256 = createHash('sha256').update(PASSWORD).digest('hex');

describe('BI users of the first release, whose shop stood in a setting', function () {
  this.timeout(240_000);
  let engines: Engines;
  before(async () => {
    engines = await startEngines(['bi_a', 'bi_b'].map((name) => biUser({ name, passwordSha256 })));
    const users = ['a', 'b'].map((shop) => ({
      name: `bi_${shop}`,
      passwordSha256,
      settings: { query_cache_tag: shop },
    }));
    await writeFile(join(engines.dataDir, 'clickhouse-users.json'), JSON.stringify(users));
  });
  after(() => engines.stop());

  it('see their shop by who they are, and are not brought back once they are taken away', async () => {
    const { url, username, password } = engines.clickhouse;
    const address = Object.assign(new URL(url), { username, password }).href;
    const config = loadConfig({ DATA_DIR: engines.dataDir, CLICKHOUSE_URL: address });
    await runMigrate(config);
    const warehouse = createWarehouse({ url: address, database: 'profit' });
    try {
      const row = { day: '2026-01-01', computed_at: 1 };
      await warehouse.insert('daily_orders', [
        { ...row, shop_id: 'a', orders: 7 },
        { ...row, shop_id: 'b', orders: 9 },
      ]);
      const headers = { [ENGINE_KEY_HEADER]: password, 'X-ClickHouse-Key': PASSWORD };
      const ask = async (user: string, settings = ''): Promise<string> => {
        const body = `SELECT orders FROM bi.daily_metrics ${settings}`;
        const sent = { method: 'POST', headers: { ...headers, 'X-ClickHouse-User': user }, body };
        return (await (await fetch(url, sent)).text()).trim();
      };
      expect([await ask('bi_a'), await ask('bi_b')]).to.deep.equal(['7', '9']);
      expect(await ask('bi_a', "SETTINGS query_cache_tag = 'b'")).not.to.contain('9');

      await createBiUsers(warehouse, 'profit').release('bi_a');
      await runMigrate(config);
      expect([await ask('bi_a'), await ask('bi_b')]).to.deep.equal(['', '9']);
    } finally {
      await warehouse.close();
    }
  });

  it('are kept, with those that commands beside each other add', async () => {
    const added = Array.from({ length: 5 }, (_, i) => ({ name: `bi_new_${i}`, passwordSha256, shopId: `s${i}` }));
    await Promise.all(added.map((user) => changeBiUsers(engines.dataDir, (users) => [...users, user])));
    const kept = (await readBiUsers(engines.dataDir)).map(({ name, shopId }) => `${name} ${shopId}`);
    expect(kept).to.have.members(['bi_a a', 'bi_b b', ...added.map(({ name, shopId }) => `${name} ${shopId}`)]);
  });
});
