import { Worker } from 'bullmq';
import { expect } from 'chai';
import { createServer, type AddressInfo } from 'node:net';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { apiIsHealthy, workerIsHealthy } from '../../src/telemetry/health.js';
import { startRedis } from '../../src/embedded/engines/redis.js';
import { quietLog } from '../support/engines.js';
import { until, withFolder } from '../embedded/processes.js';

describe('health checks of the containers', () => {
  it('take an API that says it is ready, and no other', async () => {
    let status = 200;
    const server = createHttpServer((_request, response) => response.writeHead(status).end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await apiIsHealthy(port)).to.equal(true);
    status = 503;
    expect(await apiIsHealthy(port)).to.equal(false);
    await new Promise((resolve) => server.close(resolve));
    expect(await apiIsHealthy(port).catch(() => 'nobody there')).to.equal('nobody there');
  });

  it('take a worker that waits at Redis, and none that is gone', () =>
    withFolder(async (folder) => {
      const redis = await startRedis({ dataDir: join(folder, 'redis'), log: quietLog });
      const { port, password } = redis;
      expect(await workerIsHealthy(redis)).to.equal(false);
      const worker = new Worker('health', () => Promise.resolve(), {
        connection: { host: '127.0.0.1', port, password },
      });
      await until('the worker is seen', () => workerIsHealthy(redis));
      await worker.close();
      expect(await workerIsHealthy(redis)).to.equal(false);
      await redis.stop();
      expect(await workerIsHealthy(redis).catch(() => 'no Redis')).to.equal('no Redis');
    }));

  it('fail on a server that accepts and says nothing', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const outcomes = await Promise.allSettled([
      apiIsHealthy(port),
      workerIsHealthy({ url: `redis://:x@127.0.0.1:${port}` }),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).to.deep.equal(['rejected', 'rejected']);
    silent.close();
  });
});
