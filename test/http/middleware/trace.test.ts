import { expect } from 'chai';
import express from 'express';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { accessLog } from '../../../src/http/middleware/access-log.js';
import { requestId } from '../../../src/http/middleware/request-id.js';
import { givenTraceId, traceIdOf } from '../../../src/http/middleware/trace.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

describe('the trace of a request', () => {
  const of = (traceparent: unknown) => givenTraceId({ headers: { traceparent } } as unknown as IncomingMessage);

  it('is that of a traceparent of the right form', () => {
    for (const text of [PARENT, ` ${PARENT} `, `${PARENT.slice(0, -2)}00`, `01${PARENT.slice(2)}-later`]) {
      expect(of(text), text).to.equal(TRACE);
    }
  });

  it('is none where the header has another form', () => {
    const wrong = [undefined, '', 'x', PARENT.toUpperCase(), `${PARENT}-more`, `ff${PARENT.slice(2)}`, PARENT.replace(TRACE, '0'.repeat(32)), PARENT.replace('00f067aa0ba902b7', '0'.repeat(16)), [PARENT, PARENT], 'a'.repeat(16_000)]; // prettier-ignore
    for (const text of wrong) expect(of(text), String(text).slice(0, 80)).to.equal(null);
  });

  it('begins anew where the header has none: with the bits of an id of ours, else of its own', () => {
    const without = { headers: {} } as unknown as IncomingMessage;
    expect(traceIdOf(without, '0b5cf1a1-9d1c-4c9e-8f0e-3b1c7f1d2a34')).to.equal('0b5cf1a19d1c4c9e8f0e3b1c7f1d2a34');
    expect(traceIdOf(without, 'of-the-caller')).to.match(/^[\da-f]{32}$/);
    expect(traceIdOf(without, 'of-the-caller')).not.to.equal(traceIdOf(without, 'of-the-caller'));
  });

  it('stands in the access log beside the request id and the route, without path, query, headers and body', async () => {
    for (const level of ['info', 'warn'] as const) {
      const lines: string[] = [];
      const log = pino({ level }, { write: (line: string) => lines.push(line) });
      const app = express()
        .use(requestId, accessLog(log))
        .get('/v1/orders/:order_id', (_req, res) => void res.status(204).end());
      const server = createServer(app);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const closed = new Promise((resolve) => server.once('close', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/orders/secret?token=secret`;
      await fetch(url, { headers: { traceparent: PARENT, 'X-Request-Id': 'mine', Authorization: 'Bearer secret' } });
      server.close();
      server.closeAllConnections();
      await closed;
      if (level === 'warn') expect(lines).to.deep.equal([]);
      else {
        expect(lines.join()).not.to.include('secret');
        const fields = {
          request_id: 'mine',
          trace_id: TRACE,
          method: 'GET',
          route: '/v1/orders/:order_id',
          status: 204,
          answered: true,
        };
        expect(JSON.parse(lines[0] ?? '')).to.include(fields);
      }
    }
  });
});
