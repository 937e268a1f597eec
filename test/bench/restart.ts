import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { keptSecret } from '../../src/files.js';
import { findRedis, startRedis } from '../../src/embedded/engines/redis.js';
import { readPorts } from '../../src/embedded/engines/remembered-ports.js';
import { askRedis } from '../../src/redis/one-connection.js';
import { killNpmStarts, startNpmStart } from '../embedded/npm-start.js';
import { quietLog } from '../support/engines.js';
import type { BenchContext } from './context.js';
import { interleaved, milliseconds, type Ratio, type Section } from './harness.js';

const ROUNDS = 3;
/** Below the size at which Redis would write its file again. */
const FILE_BYTES = 1_000_000_000;
const VALUE_BYTES = 16 * 1024;
/** Most of the file says what was changed since, as jobs do that have ended. */
const KEYS = 5_000;
const WRITES_AT_ONCE = 500;
const ALLOWED_MS = 5_000;

/** `npm start` until it is ready, with an append-only file of 1 GB to read back, against Redis alone on the same file. */
export const restart: Section<BenchContext> = {
  name: 'restart',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'profit-bench-'));
    const redisFolder = join(folder, 'redis');
    try {
      await (await startNpmStart(folder)).stop();
      await fill(redisFolder);
      const { medians, spreads } = await interleaved(ROUNDS, {
        service: async () => {
          const startedAt = performance.now();
          const service = await startNpmStart(folder);
          const took = performance.now() - startedAt;
          await service.stop();
          return took;
        },
        redis: () => timeOfRedis(redisFolder),
      });
      const row: Ratio = {
        what: 'npm start with 1 GB to read back, against redis-server alone and 5 s',
        ours: milliseconds(medians.service),
        against: milliseconds(medians.redis + ALLOWED_MS),
        ratio: medians.service / (medians.redis + ALLOWED_MS),
        spread: spreads.service,
        goal: { atMost: 1 },
      };
      return [row];
    } finally {
      killNpmStarts();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function fill(dataDir: string): Promise<void> {
  const engine = await startRedis({ dataDir, appendfsync: 'everysec', log: quietLog });
  const redis = new Redis(engine.url);
  const value = Buffer.alloc(VALUE_BYTES, 'profit ');
  for (let written = 0; written * VALUE_BYTES < FILE_BYTES; written += WRITES_AT_ONCE) {
    const keys = Array.from({ length: WRITES_AT_ONCE }, (_, i) => `filler:${(written + i) % KEYS}`);
    await Promise.all(keys.map((key) => redis.set(key, value)));
  }
  redis.disconnect();
  await engine.stop();
}

async function timeOfRedis(dataDir: string): Promise<number> {
  const { redis: port = 0 } = await readPorts(join(dataDir, 'ports.json'));
  const password = await keptSecret(join(dataDir, 'password'));
  const url = `redis://:${password}@127.0.0.1:${port}`;
  const startedAt = performance.now();
  const server = spawn(findRedis() ?? '', [join(dataDir, 'redis.conf')], { stdio: 'ignore' });
  const exit = once(server, 'exit');
  const isUp = () =>
    askRedis({ url }, (redis) => redis.ping(), 1_000).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) {
    if (server.exitCode !== null) throw new Error(`Redis ended with ${server.exitCode}`);
    await sleep(20);
  }
  const took = performance.now() - startedAt;
  server.kill('SIGTERM');
  await exit;
  return took;
}
