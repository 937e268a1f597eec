import { execFileSync } from 'node:child_process';
import type { Redis } from 'ioredis';
import { expect } from 'chai';
import { startRedis, type RunningRedis } from '../../src/embedded/engines/redis.js';
import { RequestError } from '../../src/errors.js';
import { connectState } from '../../src/redis/redis.js';
import { freeze } from '../embedded/processes.js';
import { quietLog } from '../support/engines.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { ownTime } from '../support/worked.js';

describe('a connection for state', () => {
  let server: RunningRedis;
  let redis: Redis;
  let isFrozen = false;

  before(async () => {
    server = await startRedis({ dataDir: temporaryFolder('redis'), log: quietLog });
    redis = connectState(server);
    for (let i = 0; i < 100; i++) await redis.set(`number:${i}`, i);
  });
  const now = Date.now;
  afterEach(() => {
    Date.now = now;
    thaw();
  });
  after(async () => {
    redis.disconnect();
    await server.stop();
  });

  async function freezeServer(): Promise<void> {
    isFrozen = true;
    await freeze(server.pid);
  }
  function thaw(): void {
    if (isFrozen) process.kill(server.pid, 'SIGCONT');
    isFrozen = false;
  }
  async function untilThere(): Promise<void> {
    while (!(await redis.ping().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  /** Asks for a number; every answer must be its own. True: answered, false: refused as unavailable. */
  async function ask(i: number): Promise<boolean> {
    try {
      expect(await redis.get(`number:${i % 100}`)).to.equal(String(i % 100));
      return true;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      expect(error.errors[0].code).to.equal('store_unavailable');
      expect(error.retryAfter).to.be.greaterThan(0);
      return false;
    }
  }
  const askAll = (count: number): Promise<boolean[]> => Promise.all(Array.from({ length: count }, (_, i) => ask(i)));

  it('to a frozen server fails within 2 s, from then on at once, and works again when it is thawed', async () => {
    await freezeServer();
    const start = ownTime();
    expect(await askAll(500)).to.not.include(true);
    expect(ownTime() - start).to.be.below(2_000);
    const again = askAll(500);
    let areSettled = false;
    void again.then(() => (areSettled = true));
    for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
    expect(areSettled, 'within ten turns of the event loop').to.equal(true);
    expect(await again).to.not.include(true);
    thaw();
    await untilThere();
    expect(await askAll(500)).to.not.include(false);
  });

  it('to a frozen server fails within 2 s also when the clock of the process is put back by an hour', async () => {
    expect(await ask(1)).to.equal(true);
    await freezeServer();
    const start = ownTime();
    const asked = ask(1);
    Date.now = () => now() - 3_600_000;
    expect(await asked).to.equal(false);
    expect(ownTime() - start).to.be.below(2_000);
    thaw();
    await untilThere();
  });

  it('gives everyone the answer to their own question, also across a freeze', async () => {
    for (let round = 0; round < 3; round++) {
      const before = askAll(2_000);
      const freezing = freezeServer();
      const flood = askAll(10_000);
      await freezing;
      await new Promise((resolve) => setTimeout(resolve, 50));
      const late = askAll(1_000);
      setTimeout(thaw, 200 + 900 * round);
      // Answered or refused, each has been settled with its own.
      const answers = await Promise.all([before, flood, late]);
      expect(answers.flat()).to.have.lengthOf(13_000);
      thaw();
      await untilThere();
      expect(await askAll(2_000)).to.not.include(false);
    }
  });

  it('lets a process end once it has its answers', () => {
    const script = `import { connectState } from './src/redis/redis.js';
      const redis = connectState({ url: ${JSON.stringify(server.url)} });
      await redis.ping();
      console.log(JSON.stringify(process.getActiveResourcesInfo()));
      redis.disconnect();`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
    const left = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[];
    expect(left).to.include('TCPSocketWrap').and.not.include('Timeout');
  });

  it('passes on what a script says, and says that a full store is unavailable', async () => {
    const failure = (script: string): Promise<unknown> =>
      redis.eval(script, 0).then(
        () => null,
        (error: unknown) => error,
      );
    expect(String(await failure("return redis.error_reply('MINE is mine')"))).to.include('MINE is mine');
    const full = await failure("return redis.error_reply('OOM command not allowed')");
    expect(full).to.be.instanceOf(RequestError);
    expect((full as RequestError).status).to.equal(503);
  });

  it('says that a full store is unavailable for a transaction too', async () => {
    await redis.config('SET', 'maxmemory', 1);
    try {
      const refused = await redis
        .multi()
        .incr('a')
        .del('b')
        .exec()
        .catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(RequestError).with.property('status', 503);
    } finally {
      await redis.config('SET', 'maxmemory', 0);
    }
  });
});
