import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { keptPort } from '../../support/remembered-port.js';
import { importBench, orderLines } from './import-bench.js';
import { refusal, startOrderServer, type Instead } from './order-server.js';

describe('runImportOrders, when the service is busy, gone or refuses', () => {
  const bench = importBench();

  it('waits as long as Retry-After says, with all batches', async () => {
    const times: number[] = [];
    await bench.serve(({ index }) => {
      times.push(Date.now());
      if (index === 0) return refusal(429, 'rate_limited', 'Too many.', { 'retry-after': '1' });
      return delay(50, undefined);
    });
    writeFileSync(bench.file, orderLines(100));
    const summary = await bench.run({ batchSize: 10, concurrency: 2 });
    expect(summary).to.include({ exitCode: 0, accepted: 100, retriedBatches: 1 });
    const [first = 0, ...others] = times;
    expect(others.slice(1).every((time) => time - first >= 1000)).to.equal(true);
    expect(bench.printed.stderr).to.contain('answered with 429: Too many. (rate_limited); trying again in 1 s');
  });

  it('sends again after a cut connection, a 500 and a 503', async () => {
    const instead: Instead[] = [
      'cut',
      { status: 500 },
      refusal(503, 'queue_unavailable', 'Later.', { 'retry-after': '0' }),
    ];
    await bench.serve(({ index }) => instead[index]);
    writeFileSync(bench.file, orderLines(10));
    expect(await bench.run()).to.include({ exitCode: 0, accepted: 10, retriedBatches: 3 });
  });

  it('waits for a service that starts later', async () => {
    const port = await keptPort();
    bench.server = await startOrderServer(undefined, port);
    const { url } = bench.server;
    await bench.server.close();
    writeFileSync(bench.file, orderLines(10));
    const stderr = new PassThrough();
    const said = once(stderr, 'data');
    const running = bench.run({ stderr });
    expect(String(await said)).to.contain(`no answer from ${url} (nothing listens there); trying again in 1 s`);
    bench.server = await startOrderServer(undefined, port);
    expect(await running).to.include({ exitCode: 0, accepted: 10 });
  });

  it('stops after the time it may keep trying, and keeps the state', async () => {
    await bench.serve(({ index }) => (index >= 2 ? { status: 502 } : undefined));
    writeFileSync(bench.file, orderLines(100));
    const summary = await bench.run({ batchSize: 10, concurrency: 1, retryForMs: 300 });
    expect(summary).to.include({ outcome: 'stopped', exitCode: 1, read: 20, accepted: 20 });
    expect(summary.reason).to.match(/^POST \/v1\/orders was answered with 502; gave up after \d+ s of trying$/);
    expect(bench.printed.stderr).to.match(
      /Stopped after line 20 of .*\nRun the same command again to go on from there\.\n$/,
    );
  });

  it('does not wait for a Retry-After beyond that time', async () => {
    await bench.serve(() => refusal(503, 'store_unavailable', 'Closed.', { 'retry-after': '3600' }));
    writeFileSync(bench.file, orderLines(1));
    expect((await bench.run()).reason).to.contain('Closed. (store_unavailable); gave up');
  });

  for (const [status, code] of [
    [401, 'unauthorized'],
    [403, 'forbidden_scope'],
    [409, 'source_not_registered'],
    [404, 'not_found'],
  ] as const) {
    it(`stops at once on ${status} with the service's message`, async () => {
      await bench.serve(() => refusal(status, code, 'Register the source first.'));
      writeFileSync(bench.file, orderLines(5_000));
      const summary = await bench.run();
      const reason = `POST /v1/orders was answered with ${status}: Register the source first. (${code})`;
      expect(summary).to.include({ outcome: 'stopped', exitCode: 1, read: 0, reason });
      expect(bench.server.seen.length).to.be.at.most(4);
    });
  }

  it('stops when something else than the service answers', async () => {
    await bench.serve(() => ({ status: 200, body: '<html>' }));
    writeFileSync(bench.file, orderLines(10));
    expect((await bench.run()).reason).to.equal('The answer is not one of POST /v1/orders; is the url right?');
    await bench.server.close();
    await bench.serve(() => ({ status: 405, body: '<html>' }));
    expect((await bench.run()).reason).to.contain('with 405: This is no answer of the service; is the url right?');
  });

  it('follows no redirect, which a push would not survive, and asks for the final address', async () => {
    await bench.serve(() => ({ status: 301, headers: { location: '/v2/orders' } }));
    writeFileSync(bench.file, orderLines(10));
    const reason = 'POST /v1/orders was answered with 301: This is a redirect; give the final address as url.';
    expect(await bench.run()).to.include({ outcome: 'stopped', reason });
    expect(bench.server.seen).to.have.length(1);
  });
});
