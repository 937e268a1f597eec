import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { keptPort } from '../support/remembered-port.js';
import { serviceEnvironment } from '../support/service.js';

/** Far beyond what either process waits, for a machine that is slow. */
const PATIENCE_MS = 120_000;

describe('a process that is told to stop while Redis is away', function () {
  this.timeout(2 * PATIENCE_MS);
  let child: ChildProcess;

  afterEach(() => child.kill('SIGKILL'));

  for (const [name, script, ready] of [
    ['an API', 'dist/src/main.js', '"listening"'],
    ['a worker', 'dist/workers/main.js', '"working"'],
  ] as const) {
    it(`ends: ${name}`, async () => {
      const env = {
        ...process.env,
        ...(await serviceEnvironment()),
        LOG_LEVEL: 'info',
        API_PROCESSES: '1',
        PORT: String(await keptPort()),
        REDIS_URL: `redis://127.0.0.1:${await keptPort()}`,
      };
      child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'ignore'] });
      await new Promise<void>((resolve, reject) => {
        let before = '';
        child.stdout?.on('data', (chunk: Buffer) => {
          const written = before + chunk.toString();
          if (written.includes(ready)) resolve();
          // What the process says of a Redis that is away comes in the same chunk, and is long.
          before = written.slice(-ready.length);
        });
        child.once('exit', (code) => reject(new Error(`it ended with ${code} before it was ready`)));
      });
      const exit = once(child, 'exit', { signal: AbortSignal.timeout(PATIENCE_MS) });
      child.kill('SIGTERM');
      const [code] = (await exit) as [number | null];
      expect(code, 'by itself').to.be.a('number');
    });
  }
});
