import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Failure, request } from '../../src/console/web/shared/request.js';

describe('reads of the dashboard', () => {
  let server: Server;
  let url: string;
  before(async () => {
    server = createServer((req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/json' });
      res.write('{"entries":[');
      if (req.url === '/cut') setTimeout(() => res.destroy(), 50);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const outcomeOf = (reading: Promise<unknown>): Promise<unknown> =>
    reading.then(
      (answer) => ({ answer }),
      (error: unknown) => error,
    );

  it('end with the abort when a dialog is closed in the middle of an answer, and give no empty one', async () => {
    const abort = new AbortController();
    const reading = outcomeOf(request(`${url}/held`, { signal: abort.signal }));
    setTimeout(() => abort.abort(), 50);
    expect(await reading).to.have.property('name', 'AbortError');
  });

  it('fail when the service ends in the middle of an answer', async () => {
    const failure = await outcomeOf(request(`${url}/cut`, {}));
    expect(failure).to.be.instanceOf(Failure).and.to.have.property('status', 0);
  });
});
