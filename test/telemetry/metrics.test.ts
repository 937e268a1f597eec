import { Type } from 'typebox';
import { expect } from 'chai';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { get } from 'node:http';
import { pino } from 'pino';
import type { Registry } from 'prom-client';
import { serveMetrics } from '../../src/telemetry/metrics-server.js';
import { createRegistry } from '../../src/telemetry/registry.js';
import type { QueryTags } from '../../src/warehouse/client.js';
import { withTags } from '../../src/warehouse/tags.js';
import { until } from '../embedded/processes.js';
import { paidOrder as order } from '../support/paid-order.js';
import { useService } from '../support/service.js';
import { defineQuery } from '../../src/warehouse/query.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** The metrics, once they hold each of these: queues and stores are looked at from time to time, which takes as long as it takes. */
async function told(register: Registry | undefined, wanted: readonly RegExp[]): Promise<string> {
  let missing = wanted;
  const look = async (): Promise<string | null> => {
    const text = (await register?.metrics()) ?? '';
    missing = wanted.filter((one) => !one.test(text));
    return missing.length === 0 ? text : null;
  };
  return until('all is told', look).catch((error: unknown) => {
    throw new Error(`not told: ${missing.join(', ')}`, { cause: error });
  });
}

describe('what the service tells of itself', () => {
  const service = useService({ workers: false });

  it('follows a request from its id and trace to the queries of the API and of the worker', async () => {
    const shop = await service.shop();
    const asked: (QueryTags | undefined)[] = [];
    const { warehouse } = service.stores;
    const ask = warehouse.ask.bind(warehouse);
    warehouse.ask = (...args) => {
      asked.push(args[1]?.tags);
      return ask(...args);
    };
    const headers = { 'X-Request-Id': 'mine-1', traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
    const sent = await service.call('POST', '/v1/orders', {
      key: shop.key,
      headers,
      body: { orders: [order('a'), order('b', { total: '11' })] },
    });
    await service.call('GET', '/v1/metrics?from=2026-03-01&to=2026-03-01', { key: shop.key, headers });
    warehouse.ask = ask;
    expect(asked).to.deep.include({ route: 'GET /v1/metrics', request_id: 'mine-1', trace_id: TRACE });

    service.startWorkers();
    const told: (QueryTags | undefined)[] = [];
    const own = service.workerStores[0]?.warehouse;
    if (own === undefined) throw new Error('there are no workers');
    const insertBytes = own.insertBytes.bind(own);
    own.insertBytes = (...args) => {
      told.push(args[2]?.tags);
      return insertBytes(...args);
    };
    await service.settled();
    expect(told).to.deep.include({
      work: 'flush orders',
      request_ids: ['mine-1'],
      trace_ids: [TRACE],
      batch_ids: [sent.body.receipt as string],
    });
  });

  it('is in the log_comment of a query, next to its name', async () => {
    const warehouse = withTags(service.stores.warehouse, () => ({ route: 'GET /x', request_id: 'r' }));
    const query = defineQuery('own comment', { comment: Type.String() });
    const [row] = await warehouse.ask(query("SELECT getSetting('log_comment') AS comment FROM system.one"));
    expect(JSON.parse(row?.comment ?? '')).to.deep.equal({ name: 'own comment', route: 'GET /x', request_id: 'r' });
  });

  it('counts items by kind and outcome, what was written, and how fresh figures are, without naming a shop', async () => {
    const shop = await service.shop();
    await shop.call('POST', '/v1/orders', { orders: [order('a'), order('b', { total: '11' })] });
    await service.settled();
    const [worker] = service.workerStores;
    const api = await told(service.stores.register, [
      /^profit_items_total\{kind="orders",outcome="accepted"\} [1-9]/m,
      /^profit_item_faults_total\{kind="orders",code="sum_mismatch"\} [1-9]/m,
      /^profit_redis_up 1$/m,
      /^profit_clickhouse_up 1$/m,
      /^profit_clickhouse_disk_free_ratio 0\.\d+$/m,
      /^profit_queue_dead_letters\{queue="orders"\} \d/m,
    ]);
    const written = await told(worker?.register, [
      /^profit_freshness_seconds_count\{kind="orders"\}/m,
      /^profit_flush_rows_total\{queue="orders"\} [1-9]/m,
      /^profit_stored_seconds_count\{queue="orders"\} [1-9]/m,
      /^profit_rebuild_entries\{work="fresh"\} \d/m,
    ]);
    expect(`${api}${written}`).not.to.include(shop.id);
  });
});

describe('the port of the metrics', () => {
  it('answers GET /metrics and nothing else, and stays away where no port is set', async () => {
    const log = pino({ level: 'silent' });
    const register = createRegistry();
    expect(serveMetrics(register, { host: '127.0.0.1', port: undefined, log })).to.equal(null);
    const server = serveMetrics(register, { host: '127.0.0.1', port: 0, log });
    if (server === null) throw new Error('it has a port');
    try {
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const statusOf = async (path: string, method = 'GET') => (await fetch(url + path, { method })).status;
      expect([await statusOf('/metrics'), await statusOf('/'), await statusOf('/metrics', 'POST')]).to.deep.equal([
        200, 404, 405,
      ]);
      const byHost = (host: string): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          const { port } = server.address() as AddressInfo;
          const asked = get({ port, host: '127.0.0.1', path: '/metrics', headers: { Host: host } }, (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          });
          asked.on('error', reject);
        });
      for (const host of [
        '127.0.0.1:1',
        '[::1]:9464',
        'localhost:9464',
        'api:9464',
        '10.1.2.3',
        'api.profit-metrics.svc:9464',
      ])
        expect(await byHost(host), host).to.equal(200);
      for (const host of ['worker-0.worker.profit-metrics.svc.cluster.local:9464', 'IP-10-1-2-3.ec2.internal'])
        expect(await byHost(host), host).to.equal(200);
      for (const host of [
        'evil.example',
        'evil.example:9464',
        '127.0.0.1.evil.example',
        'api.svc.evil.example',
        'svc.evil.example:9464',
        'cluster.local.example',
        '.svc',
        'a b',
        '127.0.0.1@evil.example',
      ])
        expect(await byHost(host), host).to.equal(403);
      const second = serveMetrics(register, { host: '127.0.0.1', port: (server.address() as AddressInfo).port, log });
      expect(second).not.to.equal(null);
      if (second !== null) await once(second, 'error');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
