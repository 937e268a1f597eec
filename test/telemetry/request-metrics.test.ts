import { expect } from 'chai';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { requestError } from '../../src/errors.js';
import { sendError } from '../../src/http/middleware/errors.js';
import { createRegistry, type Registry } from '../../src/telemetry/registry.js';
import { observeRequests } from '../../src/telemetry/request-metrics.js';

async function withServer(use: (url: string, register: Registry) => Promise<void>): Promise<void> {
  const app = express()
    .get('/v1/orders/:order_id', (_req, res) => void res.json({}))
    .get('/v1/refused', (_req, res) => sendError(res, requestError('not_found', 'no')));
  const register = createRegistry();
  const server = createServer(app);
  observeRequests(server, register);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, register);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const get = (url: string, method = 'GET') => fetch(url, { method }).then((answer) => answer.text());

describe('metrics of requests', () => {
  it('count by pattern of the route, status and code, whatever paths clients make up', () =>
    withServer(async (url, register) => {
      for (let i = 0; i < 50; i++) {
        await get(`${url}/v1/orders/order-${i}?x=${i}`);
        await get(`${url}/made-up-${i}`);
      }
      await get(`${url}/v1/refused`);
      await get(`${url}/v1/orders/1`, 'PROPFIND');
      const text = await register.metrics();
      const lines = text.split('\n').filter((line) => line.startsWith('profit_http_requests_total{'));
      expect(lines).to.have.members([
        'profit_http_requests_total{method="GET",route="/v1/orders/:order_id",status="200",code=""} 50',
        'profit_http_requests_total{method="GET",route="none",status="404",code=""} 50',
        'profit_http_requests_total{method="GET",route="/v1/refused",status="404",code="not_found"} 1',
        'profit_http_requests_total{method="OTHER",route="none",status="404",code=""} 1',
      ]);
      expect(text).not.to.include('order-1').and.not.include('made-up');
    }));

  it('have times in cumulative buckets that end with their number', () =>
    withServer(async (url, register) => {
      for (let i = 0; i < 5; i++) await get(`${url}/v1/orders/1`);
      const text = await register.metrics();
      const of = (what: string): number[] =>
        [...text.matchAll(new RegExp(`^profit_http_request_seconds_${what}\\{[^}]*\\} (\\S+)$`, 'gm'))].map((m) =>
          Number(m[1]),
        );
      const buckets = of('bucket');
      expect(buckets).to.deep.equal([...buckets].sort((a, b) => a - b));
      expect(buckets.at(-1)).to.equal(5);
      expect(of('count')).to.deep.equal([5]);
      expect(of('sum')[0]).to.be.above(0);
    }));
});
