import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { attacks, sendAttack } from '../support/attacks.js';
import { startMeasuredApi, type MeasuredApi } from '../support/measured-process.js';
import { serviceEnvironment, startService, type Service, type Shop } from '../support/service.js';

const MB = 1024 * 1024;
const ROUNDS = 5;
const READS = 100;
const ATTACKER = fileURLToPath(new URL('../support/attacker.ts', import.meta.url));

describe('a hostile client', function () {
  this.timeout(240_000);
  let service: Service;
  let api: MeasuredApi;
  let victim: Shop;
  let attackers: Shop[];
  let children: ChildProcess[] = [];

  before(async () => {
    service = await startService({ workers: false });
    api = await startMeasuredApi(await serviceEnvironment());
    victim = await service.shop();
    attackers = [await service.shop(), await service.shop()];
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await api.stop();
    await service.stop();
  });

  for (const attack of attacks()) {
    it(`stops nobody with ${attack.name}`, async () => {
      const send = () => Promise.all(attackers.map(({ key }) => sendAttack(api.url, key, attack)));
      await send();
      const steps: number[] = [];
      for (let round = 0; round < 3; round++) {
        await api.ask('step');
        const answers = await send();
        steps.push(await api.ask('step'));
        for (const { status, text } of answers) {
          expect(status).to.be.oneOf([200, 400]);
          expect(text.length, 'the answer').to.be.below(3 * MB);
        }
      }
      expect(median(steps), `the longest step in ms of ${steps.map(Math.round).join(', ')}`).to.be.below(100);
    });
  }

  /** Milliseconds below which 99 of 100 reads of the victim were answered. */
  const slowest = async (): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < READS; i++) {
      const startedAt = performance.now();
      const response = await fetch(`${api.url}/v1/metrics`, { headers: { Authorization: `Bearer ${victim.key}` } });
      expect(response.status).to.equal(200);
      await response.arrayBuffer();
      times.push(performance.now() - startedAt);
    }
    return times.sort((a, b) => a - b)[Math.ceil(READS * 0.99) - 1] ?? Infinity;
  };

  const tell = async (child: ChildProcess, message: 'start' | 'stop'): Promise<void> => {
    const answered = message === 'stop' ? once(child, 'message') : null;
    child.send(message);
    await answered;
  };

  it('makes another shop wait less than three times as long, with a second one beside it', async () => {
    children = attackers.map(({ key }, at) => {
      return fork(ATTACKER, [api.url, key, String(at * 5)], { execArgv: ['--import', 'tsx'] });
    });
    await Promise.all(children.map((child) => once(child, 'message')));
    await slowest();
    const quiet: number[] = [];
    const attacked: number[] = [];
    // By turns, so that whatever else the machine does weighs on both.
    for (let round = 0; round < ROUNDS; round++) {
      quiet.push(await slowest());
      for (const child of children) await tell(child, 'start');
      attacked.push(await slowest());
      await Promise.all(children.map((child) => tell(child, 'stop')));
    }
    const told = [quiet, attacked].map((all) => all.map(Math.round).join(', ')).join(' against ');
    expect(median(attacked), `p99 in ms, quiet ${told}`).to.be.below(3 * median(quiet));
  });
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity;
}
