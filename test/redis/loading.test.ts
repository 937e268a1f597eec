import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { EngineLog } from '../../src/embedded/engines/engine.js';
import { startRedis } from '../../src/embedded/engines/redis.js';
import { askRedis } from '../../src/redis/one-connection.js';
import { withFolder } from '../embedded/processes.js';
import { quietLog } from '../support/engines.js';
import { writeSlowFile } from '../support/slow-redis-file.js';

/** Read in two seconds or more. */
const COMMANDS = 6_000;

describe('a Redis that reads its file back for some seconds', () => {
  it('is started when it has read all of it, and says meanwhile how far it is', () =>
    withFolder(async (folder) => {
      const dataDir = join(folder, 'redis');
      await mkdir(dataDir, { mode: 0o700 });
      await writeSlowFile(dataDir, COMMANDS);
      const said: string[] = [];
      const log: EngineLog = { ...quietLog, warn: (_fields, message) => said.push(message) };
      const redis = await startRedis({ dataDir, log });
      expect(await askRedis(redis, (state) => state.get('last'), 5_000)).to.equal('read');
      expect(said[0]).to.match(/^Redis is reading its files back \(\d+ % of 1 MB\)$/);
      expect(said.length).to.be.lessThan(20);
      await redis.stop();
    }));

  it('ends at once when it is not needed any more', () =>
    withFolder(async (folder) => {
      const dataDir = join(folder, 'redis');
      await mkdir(dataDir, { mode: 0o700 });
      await writeSlowFile(dataDir, COMMANDS * 10);
      const stop = new AbortController();
      let told = 0;
      const warn = (): void => {
        told++;
        stop.abort();
      };
      const log: EngineLog = { ...quietLog, warn };
      const failure: unknown = await startRedis({ dataDir, log, stop: stop.signal }).catch((error: unknown) => error);
      expect((failure as Error).message).to.equal('Redis did not start');
      expect(told, 'how often it told of its progress').to.equal(1);
    }));
});
