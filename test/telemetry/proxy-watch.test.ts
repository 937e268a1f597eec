import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { pino } from 'pino';
import { isPrivateAddress, watchProxies } from '../../src/telemetry/proxy-watch.js';
import { createExpress, createExpressServer } from '../../src/http/server.js';
import { createRegistry } from '../../src/telemetry/registry.js';
import { keptPort } from '../support/remembered-port.js';
import { until } from '../embedded/processes.js';
import { keepAlive } from '../support/keep-alive.js';
import { serviceEnvironment } from '../support/service.js';

const HOUR_MS = 3_600_000;

interface Watched {
  /** Sends a request with these lines in its head. */
  send: (lines?: readonly string[], path?: string) => Promise<void>;
  warnings: string[];
  /** How many requests were counted, by kind. */
  counted: () => Promise<Record<string, number>>;
  wait: (ms: number) => void;
}

async function withServer(trustedProxies: number, use: (watched: Watched) => Promise<void>): Promise<void> {
  const warnings: string[] = [];
  const log = pino({}, { write: (line) => void warnings.push((JSON.parse(line) as { msg: string }).msg) });
  const register = createRegistry();
  let nowMs = 1_000;
  const app = createExpress();
  app.use((_req, res) => res.status(204).end());
  const server = createExpressServer(app);
  watchProxies(server, { trustedProxies, log, register, now: () => nowMs });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await use({
    async send(lines = [], path = '/v1/collect') {
      const socket = connect(port, '127.0.0.1');
      socket.end([`POST ${path} HTTP/1.1`, 'Host: a', 'Connection: close', ...lines, '', ''].join('\r\n'));
      expect(await text(socket)).to.match(/^HTTP\/1\.1 204 /);
    },
    warnings,
    async counted() {
      const [metric] = await register.getMetricsAsJSON();
      return Object.fromEntries((metric?.values ?? []).map(({ labels, value }) => [String(labels.kind), value]));
    },
    wait: (ms) => (nowMs += ms),
  });
  server.close();
}

describe('TRUSTED_PROXIES', () => {
  it('of 0 behind a proxy is warned of once an hour, with what to set', () =>
    withServer(0, async ({ send, warnings, counted, wait }) => {
      await send();
      expect(warnings).to.deep.equal([]);
      for (let count = 0; count < 3; count++) await send(['X-Forwarded-For: 203.0.113.9']);
      expect(warnings).to.have.length(1);
      expect(warnings[0])
        .to.contain('TRUSTED_PROXIES is 0, but requests with X-Forwarded-For come from a private address')
        .and.contain('Set TRUSTED_PROXIES to the number of proxies in front');
      wait(HOUR_MS - 1);
      await send(['X-Forwarded-For: 203.0.113.9']);
      expect(warnings).to.have.length(1);
      wait(1);
      await send(['X-Forwarded-For: 203.0.113.9']);
      expect(warnings).to.have.length(2);
      expect(await counted()).to.deep.equal({ untrusted: 5, missing: 0 });
    }));

  it('above what X-Forwarded-For has is warned of once an hour, and probes of the orchestrator are not', () =>
    withServer(2, async ({ send, warnings, counted, wait }) => {
      await send(['X-Forwarded-For: 203.0.113.9, 10.0.0.1']);
      await send(['X-Forwarded-For: 198.51.100.7', 'X-Forwarded-For: 203.0.113.9, 10.0.0.1']);
      await send([], '/healthz');
      await send([], '/readyz');
      expect(warnings).to.deep.equal([]);
      await send(['X-Forwarded-For: 203.0.113.9']);
      await send(['X-Forwarded-For:']);
      await send();
      expect(warnings).to.have.length(1);
      expect(warnings[0])
        .to.contain('TRUSTED_PROXIES is 2, but a request came with fewer addresses in X-Forwarded-For (1)')
        .and.contain('Set TRUSTED_PROXIES to the number of proxies in front');
      expect(warnings[0]).not.to.contain('203.0.113.9');
      wait(HOUR_MS);
      await send();
      expect(warnings[1]).to.contain('fewer addresses in X-Forwarded-For (0)');
      expect(await counted()).to.deep.equal({ untrusted: 0, missing: 4 });
    }));

  it('takes an address that the internet does not reach for one of a proxy', () => {
    const own = [
      '127.0.0.1',
      '::1',
      '10.0.0.1',
      '::ffff:172.31.0.1',
      '192.168.1.1',
      '100.64.0.1',
      'fd00::1',
      'fe80::1',
    ];
    const others = ['8.8.8.8', '::ffff:8.8.8.8', '11.0.0.1', '172.32.0.1', '100.128.0.1', '2001:db8::1', '', undefined];
    expect(own.filter((address) => !isPrivateAddress(address))).to.deep.equal([]);
    expect(others.filter(isPrivateAddress)).to.deep.equal([]);
  });

  it('is watched by the API, also for what the collector gets', async () => {
    const port = await keptPort();
    const api = keepAlive('dist/src/main.js', {
      ...(await serviceEnvironment()),
      PORT: String(port),
      LOG_LEVEL: 'info',
      TRUSTED_PROXIES: '0',
    });
    try {
      await api.started();
      const headers = { 'X-Forwarded-For': '203.0.113.9' };
      await fetch(`http://127.0.0.1:${port}/v1/collect`, { method: 'POST', headers, body: '{}' });
      await until('the warning is written', () => api.output().includes('TRUSTED_PROXIES is 0'));
      expect(api.output()).not.to.contain('203.0.113.9');
    } finally {
      await api.stop();
    }
  });
});
