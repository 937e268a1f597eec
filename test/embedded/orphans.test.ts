import { join } from 'node:path';
import { expect } from 'chai';
import { startRedis } from '../../src/embedded/engines/redis.js';
import { spawnNode } from '../../src/embedded/supervisor/node-service.js';
import { quietLog } from '../support/engines.js';
import { allProcesses, isAlive, runScript, until, withFolder } from './processes.js';

const startParent = async (folder: string) => {
  const parent = runScript('engines.ts', {}, folder);
  const line = await until('the engines run', () => /^\{.*\}$/m.exec(parent.output())?.[0], 180_000);
  return { parent, pids: JSON.parse(line) as { clickhouse: number; redis: number } };
};

describe('engines whose parent is killed', function () {
  this.timeout(240_000);

  it('end with it', () =>
    withFolder(async (folder) => {
      const { parent, pids } = await startParent(folder);
      expect(isAlive(pids.clickhouse) && isAlive(pids.redis)).to.equal(true);
      parent.process.kill('SIGKILL');
      await until('both are gone', () => !isAlive(pids.clickhouse) && !isAlive(pids.redis));
    }));

  it('are replaced at the next start even where Redis outlived its watchdog', () =>
    withFolder(async (folder) => {
      const { parent, pids } = await startParent(folder);
      const watchdog = allProcesses().find(
        ({ parent: of, command }) => of === parent.pid && command.startsWith('sh -c read'),
      );
      if (!watchdog) throw new Error('there is no watchdog');
      process.kill(watchdog.pid, 'SIGKILL');
      parent.process.kill('SIGKILL');
      await until('ClickHouse is gone', () => !isAlive(pids.clickhouse));
      expect(isAlive(pids.redis)).to.equal(true);

      const next = await startRedis({ dataDir: join(folder, 'redis'), log: quietLog });
      expect(isAlive(pids.redis)).to.equal(false);
      expect(next.pid).not.to.equal(pids.redis);
      await next.stop();
    }));
});

describe('a service whose supervisor is killed', () => {
  it('ends although it stands still', () =>
    withFolder(async (folder) => {
      const parent = runScript('standing-still.ts', {}, folder);
      const line = await until('the service runs', () => /^\{.*\}$/m.exec(parent.output())?.[0]);
      const { service } = JSON.parse(line) as { service: number };
      parent.process.kill('SIGKILL');
      await until('it is gone', () => !isAlive(service));
    }));

  it('ends although it had not begun by then', async () => {
    const service = spawnNode({
      command: ['--eval', 'setInterval(() => undefined, 1_000)'],
      env: process.env,
      log: { write: () => undefined, close: () => undefined },
    });
    try {
      // As the end of this process would.
      service.process.disconnect();
      expect(await service.exited).to.deep.equal({ code: null, signal: 'SIGTERM' });
    } finally {
      service.process.kill('SIGKILL');
    }
  });
});
