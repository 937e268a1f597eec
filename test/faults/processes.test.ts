import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { keptPort } from '../support/remembered-port.js';
import { serviceEnvironment, startService, type Service } from '../support/service.js';

const PROCESSES = 3;

const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 3_600; tries++) {
    if (await condition()) return;
    await sleep(50);
  }
  throw new Error('it never came to pass');
};
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

describe('several API processes on one port', function () {
  let observer: Service;
  let api: ChildProcess;
  let url: string;
  let metricsUrl: string;

  before(async function () {
    if (process.platform !== 'linux') this.skip();
    observer = await startService({ workers: false });
  });
  after(() => observer.stop());
  beforeEach(async () => {
    const [port, metricsPort] = [await keptPort(), await keptPort()];
    url = `http://127.0.0.1:${port}`;
    metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    const env = {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      API_PROCESSES: String(PROCESSES),
      LOG_LEVEL: 'error',
      RATE_LIMIT_COLLECT_TOKEN: '30',
    };
    api = spawn(process.execPath, ['dist/src/main.js'], {
      env: { ...process.env, ...(await serviceEnvironment()), RATE_LIMIT_COLLECT_ADDRESS: '100000', ...env },
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    await until(async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200);
    await until(() => childrenOf(api.pid ?? 0).length === PROCESSES);
  });
  afterEach(() => api.kill('SIGKILL'));

  const bodyOf = (token: string): string =>
    JSON.stringify({
      token,
      events: [
        {
          event_id: randomUUID(),
          type: 'page_view',
          ts: new Date().toISOString(),
          anon_id: 'v',
          consent: 'analytics',
          url: 'https://shop.example.com/',
        },
      ],
    });
  const collect = (token: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/v1/collect`, { method: 'POST', headers, body: bodyOf(token) }).then(
      ({ status }) => status,
      () => 0,
    );

  it('go on when one of them is killed, and it comes back', async () => {
    const first = childrenOf(api.pid ?? 0);
    const token = await observer.key(`processes-${randomUUID().slice(0, 8)}`, 'pixel');
    const [victim = 0] = first;
    process.kill(victim, 'SIGKILL');
    await until(() => !isAlive(victim));
    // A connection that was given to it breaks off, also one that came before its end was known.
    await until(async () => (await collect(token)) === 204);
    const answers = Array.from({ length: 20 }, () => collect(token, { connection: 'close' }));
    expect(new Set(await Promise.all(answers))).to.deep.equal(new Set([204]));
    await until(() => childrenOf(api.pid ?? 0).length === PROCESSES);
    const others = childrenOf(api.pid ?? 0).filter((pid) => first.includes(pid));
    expect(others).to.deep.equal(first.filter((pid) => pid !== victim));
  });

  it('tell their metrics apart, so that no count falls where one ends', async () => {
    const ask = (address: string): Promise<string> =>
      fetch(address, { headers: { connection: 'close' } }).then((answer) => answer.text());
    /** Requests that each process has answered. */
    const counts = async (): Promise<Map<string, number>> => {
      const lines = (await ask(metricsUrl)).matchAll(/^profit_http_requests_total{.*process="(\d)".*} (\d+)$/gm);
      const sums = new Map<string, number>();
      for (const [, slot = '', count] of lines) sums.set(slot, (sums.get(slot) ?? 0) + Number(count));
      return sums;
    };
    await until(async () => {
      await Promise.all(Array.from({ length: 10 }, () => ask(`${url}/healthz`)));
      return (await counts()).size === PROCESSES;
    });
    const before = await counts();
    const [victim = 0] = childrenOf(api.pid ?? 0);
    process.kill(victim, 'SIGKILL');
    await until(() => !isAlive(victim));
    // The one that takes its place has answered nothing yet.
    await until(async () => (await counts()).size === PROCESSES - 1);
    for (const [slot, count] of await counts()) expect(count).to.be.at.least(before.get(slot) ?? 0);
  });

  it('hold the limit of a token together', async () => {
    const token = await observer.key(`processes-${randomUUID().slice(0, 8)}`, 'pixel');
    expect(await collect(token)).to.equal(204);
    const second = (): number => Math.floor(Date.now() / 1_000);
    const from = second();
    const statuses: number[] = [];
    // A connection each, so that all processes get some; more of them where they came no faster than the limit.
    while (!statuses.includes(429)) {
      const answers = Array.from({ length: 300 }, () => collect(token, { connection: 'close' }));
      statuses.push(...(await Promise.all(answers)));
    }
    const seconds = second() - from + 1;
    expect(statuses.filter((status) => status === 204).length).to.be.within(29, 30 * seconds);
  });

  it('finish what they have begun when they are stopped, and end with status 0', async () => {
    const children = childrenOf(api.pid ?? 0);
    const token = await observer.key(`processes-${randomUUID().slice(0, 8)}`, 'pixel');
    const body = bodyOf(token);
    const half = body.length >> 1;
    const begin = (request: string): { socket: Socket; answer: string } => {
      const begun = { socket: connect(Number(new URL(url).port), '127.0.0.1'), answer: '' };
      begun.socket.on('data', (part: Buffer) => (begun.answer += part.toString())).write(request);
      return begun;
    };
    const head = `POST /v1/collect HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`;
    const underWay = Array.from({ length: 2 * PROCESSES }, () => begin(head + body.slice(0, half)));
    const idle = begin('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => [...underWay, idle].every(({ answer }) => answer !== ''));
    const exit = once(api, 'exit');
    const isClosing = once(idle.socket, 'close');
    api.kill('SIGTERM');
    await isClosing;
    for (const { socket } of underWay) socket.write(body.slice(half));
    await until(() => underWay.every(({ socket }) => socket.closed));
    for (const { answer } of underWay) expect(answer).to.match(/ 100 Continue\r\n\r\nHTTP\/1\.1 204 /);
    expect(await exit).to.deep.equal([0, null]);
    expect(children.filter(isAlive)).to.deep.equal([]);
  });

  it('end when the process that started them is killed', async () => {
    const children = childrenOf(api.pid ?? 0);
    api.kill('SIGKILL');
    await until(() => children.every((pid) => !isAlive(pid)));
  });
});

describe('an API whose port is taken', () => {
  it('ends with status 1, however many processes it was to have', async () => {
    const observer = await startService({ workers: false });
    try {
      const env = { ...process.env, ...(await serviceEnvironment()), API_PROCESSES: '2', LOG_LEVEL: 'silent' };
      const child = spawn(process.execPath, ['dist/src/main.js'], {
        env: { ...env, PORT: new URL(observer.url).port },
        stdio: 'ignore',
      });
      expect(await once(child, 'exit')).to.deep.equal([1, null]);
    } finally {
      await observer.stop();
    }
  });
});
