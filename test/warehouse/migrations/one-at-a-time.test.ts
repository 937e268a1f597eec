import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { runMigrate } from '../../../src/cli/commands/migrate.js';
import { loadConfig } from '../../../src/config.js';
import { withLastingLock } from '../../../src/redis/lasting-lock.js';
import { lockKey } from '../../../src/redis/locks.js';
import { connectState } from '../../../src/redis/redis.js';
import { createWarehouse } from '../../../src/warehouse/client.js';
import { SCHEMA } from '../../support/database.js';
import { startEngines } from '../../support/engines.js';
import { sharedEngines } from '../../support/shared-engines.js';

const FILES = readdirSync(SCHEMA);

describe('migrations', () => {
  it('have one numbering', () => {
    const numbers = FILES.map((name) => name.slice(0, 3));
    expect(new Set(numbers).size, numbers.join(' ')).to.equal(FILES.length);
  });

  it('of two processes at once are done by one, and of a killed one by the next', async () => {
    const engines = await startEngines();
    const { clickhouse, redis } = engines;
    try {
      const url = new URL(clickhouse.url);
      Object.assign(url, { username: clickhouse.username, password: clickhouse.password });
      const config = loadConfig({ CLICKHOUSE_URL: url.href, REDIS_URL: redis.url });
      const state = connectState({ url: redis.url, sentinels: undefined });
      await state.set(lockKey('migrate:profit'), 'of a process that was killed', 'PX', 1_000);
      state.disconnect();
      const done = await Promise.all([runMigrate(config), runMigrate(config), runMigrate(config)]);
      expect(done.filter((names) => names.length > 0)).to.have.length(1);
      expect(done.flat()).to.include.members(FILES);

      const warehouse = createWarehouse({ url: url.href, database: 'profit' });
      await warehouse.insert('schema_migrations', [{ name: FILES[0], checksum: 'another' }]);
      const refused: unknown = await runMigrate(config).catch((error: unknown) => error);
      expect(refused).to.have.property('message').that.contains(`${FILES[0]} was changed after it was applied`);
      await warehouse.close();
    } finally {
      await engines.stop();
    }
  }).timeout(240_000);
});

describe('a lock for long work', () => {
  it('is kept for as long as the work lasts, and one that was lost is told before the next step', async () => {
    const redis = connectState({ url: (await sharedEngines()).redis.url, sentinels: undefined });
    const options = { name: `test-${process.pid}`, waitMs: 0, heldMs: 4_000 };
    try {
      await withLastingLock(redis, options, async (requireLock) => {
        const until = Date.now() + 1.25 * options.heldMs;
        while (Date.now() < until) expect(await redis.exists(lockKey(options.name))).to.equal(1);
        await requireLock();
        const other = withLastingLock(redis, options, () => Promise.resolve());
        expect(await other.catch((error: unknown) => (error as Error).name)).to.equal('LockError');
        await redis.set(lockKey(options.name), 'another');
        expect(await requireLock().catch((error: unknown) => (error as Error).name)).to.equal('LockError');
      });
      // It is the other's, and stays.
      expect(await redis.getdel(lockKey(options.name))).to.equal('another');
    } finally {
      redis.disconnect();
    }
  });
});
