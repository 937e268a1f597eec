import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { pino } from 'pino';
import { RequestError, unavailable } from '../../../src/errors.js';
import { accessLog } from '../../../src/http/middleware/access-log.js';
import { errorHandler } from '../../../src/http/middleware/errors.js';
import { requestId } from '../../../src/http/middleware/request-id.js';

interface Line {
  level: number;
  msg: string;
  code?: string;
  err?: { message: string; stack: string };
}

/** What the log says of a request that fails with this. */
async function linesOf(failure: Error): Promise<Line[]> {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  const app = express()
    .use(requestId, accessLog(log))
    .get('/', () => {
      throw failure;
    })
    .use(errorHandler(log));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const closed = new Promise((resolve) => server.once('close', resolve));
  await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).text();
  server.close();
  server.closeAllConnections();
  await closed;
  return lines.map((line) => JSON.parse(line) as Line);
}

describe('the log of a request that failed', () => {
  it('logs one warning without a stack for an expected refusal', async () => {
    const notYet = new RequestError([{ code: 'not_fresh_yet', message: 'Ask again.', field: 'after' }], 1);
    for (const refusal of [notYet, unavailable('queue_unavailable', 'The queue is full.')]) {
      const lines = await linesOf(refusal);
      expect(lines.map(({ level, msg, code, err }) => ({ level, msg, code, err }))).to.deep.equal([
        { level: pino.levels.values.warn, msg: 'request', code: refusal.errors[0].code, err: undefined },
      ]);
    }
  });

  it('has the cause, with its stack, of a store that is away and of what nobody foresaw', async () => {
    const cause = new Error('connection refused');
    for (const failure of [unavailable('store_unavailable', 'Try again shortly.', cause), cause]) {
      const [first, ...others] = await linesOf(failure);
      expect(first).to.include({ level: pino.levels.values.error, msg: 'request failed' });
      expect(first?.err).to.include({ message: cause.message, stack: cause.stack });
      expect(others).to.have.length(1);
    }
  });
});
