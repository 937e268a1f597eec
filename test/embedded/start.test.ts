import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readRuntime } from '../../src/embedded/runtime.js';
import { isAlive, processesOf, until, withFolder } from './processes.js';

const run = promisify(execFile);

/** `npm start` and the command line beside it, with the real services. */
describe('npm start', function () {
  this.timeout(180_000);

  async function started(folder: string) {
    const env = { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0' };
    const service = spawn(process.execPath, ['src/embedded/start.mjs'], { env, detached: true, stdio: 'pipe' });
    let output = '';
    for (const stream of [service.stdout, service.stderr])
      stream.on('data', (part: Buffer) => (output += part.toString()));
    const exited = new Promise<number | null>((resolve) => service.once('close', resolve));
    await until(
      'the service is ready',
      () => {
        if (service.exitCode !== null) throw new Error(output);
        return output.includes('Ready at');
      },
      60_000,
    );
    const { url } = readRuntime(folder) ?? { url: '' };
    const profit = async (...args: string[]) => {
      const { stdout } = await run(process.execPath, ['src/embedded/profit.mjs', ...args], { env });
      return stdout;
    };
    const call = async (method: string, key: string, body?: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' };
      const answer = await fetch(`${url}/v1/source`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const stop = async () => {
      service.kill('SIGINT');
      return exited;
    };
    return { profit, call, stop, pid: service.pid ?? 0, output: () => output };
  }

  it('serves a key made on the command line, and keeps what it was told over a restart', () =>
    withFolder(async (folder) => {
      const first = await started(folder);
      const printed = await first.profit('keys', 'create', '--shop', 'demo', '--kind', 'secret');
      expect(printed).to.match(/^sk_svc_[0-9a-f]{64}\n$/);
      const key = printed.trim();
      const source = { platform: 'test', currency: 'EUR', timezone: 'Europe/Berlin' };
      expect(await first.call('PUT', key, source)).to.deep.include({ status: 200 });
      const begun = Date.now();
      expect(await first.stop(), first.output()).to.equal(0);
      expect(Date.now() - begun).to.be.below(10_000);
      expect(isAlive(first.pid)).to.equal(false);
      expect(processesOf(folder)).to.deep.equal([]);

      const second = await started(folder);
      const { status, body } = await second.call('GET', key);
      expect(status).to.equal(200);
      expect(body).to.include(source);
      expect(await second.stop()).to.equal(0);
      expect(processesOf(folder)).to.deep.equal([]);
    }));
});
