import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { keptPort } from '../support/remembered-port.js';
import { serveMetrics } from '../../src/telemetry/metrics-server.js';
import { observeRuntime } from '../../src/telemetry/registry.js';
import { until } from '../embedded/processes.js';
import { isDebian } from '../support/debian.js';
import { startService, type Service, type Shop } from '../support/service.js';

const FOLDER = 'clickhouse/server/monitoring';
/** On a busy machine. */
const PATIENCE_MS = 240_000;

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

/** A real Prometheus asks a running service. */
const monitoring = (): void => {
  let service: Service | undefined;
  let prometheus: ChildProcess | undefined;
  let folder: string | undefined;
  let shop: Shop;
  let url: string;
  const servers: Server[] = [];

  before(async () => {
    service = await startService();
    shop = await service.shop();
    const targets: string[] = [];
    for (const [job, stores] of [
      ['api', service.stores],
      ['worker', service.workerStores[0]],
    ] as const) {
      if (stores === undefined) throw new Error('there is no worker');
      const { register } = stores;
      observeRuntime(register);
      const server = serveMetrics(register, { host: '127.0.0.1', port: 0, log: pino({ level: 'silent' }) });
      if (server === null) throw new Error('metrics have a port');
      servers.push(server);
      if (!server.listening) await once(server, 'listening');
      const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      targets.push(`  - job_name: ${job}\n    static_configs: [{ targets: ['${address}'] }]`);
    }
    folder = mkdtempSync(join(tmpdir(), 'profit-prometheus-'));
    copyFileSync(`${FOLDER}/alerts.yml`, join(folder, 'alerts.yml'));
    const global = 'global: { scrape_interval: 1s, evaluation_interval: 1s }';
    const config = [global, 'rule_files: [alerts.yml]', 'scrape_configs:', ...targets].join('\n');
    writeFileSync(join(folder, 'prometheus.yml'), config);
    const port = await keptPort();
    url = `http://127.0.0.1:${port}`;
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${folder}/prometheus.yml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    await until(
      'Prometheus is ready',
      async () => (await fetch(`${url}/-/ready`).catch(() => null))?.status === 200,
      PATIENCE_MS,
    );
  });
  after(async () => {
    if (prometheus?.exitCode === null) {
      prometheus.kill('SIGKILL');
      await once(prometheus, 'exit');
    }
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await service?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const ask = async (path: string): Promise<unknown> => {
    const answer = (await (await fetch(url + path)).json()) as { status: string; data: unknown; error?: string };
    expect(answer.status, `${path}: ${answer.error ?? ''}`).to.equal('success');
    return answer.data;
  };
  const query = async (expr: string): Promise<unknown[]> =>
    ((await ask(`/api/v1/query?query=${encodeURIComponent(expr)}`)) as { result: unknown[] }).result;

  it('gives data for every query of the dashboard, and every alert can be evaluated', async function () {
    this.timeout(4 * PATIENCE_MS);
    const line = { line_id: '1', quantity: '1', unit_price: '10' };
    const push = (id: number) =>
      shop.call('POST', '/v1/orders', {
        orders: [10, 11].map((total) => ({
          order_id: `o-${id}-${total}`,
          placed_at: '2026-03-01T12:00:00Z',
          currency: 'EUR',
          status: 'paid',
          line_items: [line],
          total: String(total),
        })),
      });
    const { panels } = JSON.parse(readFileSync(`${FOLDER}/dashboard.json`, 'utf8')) as Dashboard;
    const queries = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
    expect(queries).to.have.length.above(20);
    const open = new Map(queries.map(({ title, expr }) => [expr, title]));
    let pushes = 0;
    const look = async (): Promise<boolean> => {
      await push(pushes++);
      await shop.call('GET', '/v1/orders/unknown');
      for (const expr of open.keys()) {
        const rows = await query(expr.replaceAll('$__rate_interval', '30s'));
        if (rows.length > 0) open.delete(expr);
      }
      return open.size === 0;
    };
    await until('there is data for every panel', look, PATIENCE_MS).catch((error: unknown) => {
      throw new Error(`no data: ${[...open.values()].join(', ')}`, { cause: error });
    });

    const rules = await until(
      'every rule was evaluated',
      async () => {
        const { groups } = (await ask('/api/v1/rules')) as { groups: { rules: { name: string; health: string }[] }[] };
        const all = groups.flatMap((group) => group.rules);
        return all.every(({ health }) => health !== 'unknown') ? all : null;
      },
      PATIENCE_MS,
    );
    expect(rules).to.have.length.above(8);
    expect(rules.filter(({ health }) => health !== 'ok')).to.deep.equal([]);
    // An answer that takes longer than the second between two questions is none.
    await until('both processes answer', async () => (await query('count(up == 1) == 2')).length > 0, PATIENCE_MS);
  });
};

if (isDebian) describe('monitoring of the running service', monitoring);
