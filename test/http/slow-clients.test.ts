import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { pino } from 'pino';
import { readBody } from '../../src/body/read-body.js';
import { errorHandler } from '../../src/http/middleware/errors.js';
import { requestId } from '../../src/http/middleware/request-id.js';
import { createExpress, createExpressServer, type ServerOptions } from '../../src/http/server.js';

const REQUEST_MS = 300;
/** More than the buffers between hold. */
const ANSWER_BYTES = 64 * 1024 * 1024;

describe('a client that keeps its connection', () => {
  let server: Server;
  let sockets: Socket[] = [];

  const start = async (options: ServerOptions): Promise<void> => {
    const app = createExpress();
    app.use(requestId);
    app.post('/', async (req, res) => {
      const body = await readBody(req, 1_000);
      res.send(body);
    });
    app.get('/', (_req, res) => {
      res.send(Buffer.alloc(ANSWER_BYTES));
    });
    app.use(errorHandler(pino({ level: 'silent' })));
    server = createExpressServer(app, options);
    await once(server.listen(0, '127.0.0.1'), 'listening');
  };
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const open = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined); // a refused one may be reset
    await once(socket, 'connect');
    return socket;
  };
  const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n';

  /** The answer to a request that sends one more byte every now and then; it ends when the server hangs up. */
  const drip = async (start: string): Promise<string> => {
    const socket = await open();
    socket.write(start);
    const dripping = setInterval(() => socket.writable && socket.write('x'), 20);
    try {
      return await text(socket);
    } finally {
      clearInterval(dripping);
    }
  };

  it('gets 408 where its body drips, and is cut off', async () => {
    await start({ requestMs: REQUEST_MS });
    const answer = await drip(`${HEAD}\r\n`);
    expect(answer).to.match(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer.match(/HTTP\/1\.1/g)).to.have.length(1);
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as { errors: unknown[]; request_id: string };
    expect(body.errors).to.have.nested.property('[0].code', 'request_timeout');
    expect(answer).to.include(`X-Request-Id: ${body.request_id}`);
  });

  it('gets its own request id back, and a problem where it asks for one', async () => {
    await start({ requestMs: REQUEST_MS });
    const answer = await drip(`${HEAD}X-Request-Id: my-push\r\nAccept: application/problem+json\r\n\r\n`);
    expect(answer).to.include('X-Request-Id: my-push\r\n');
    const body: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
    expect(body).to.include({ status: 408, request_id: 'my-push' });
  });

  it('gets 408 where its head drips, or where it sends nothing', async () => {
    await start({ requestMs: REQUEST_MS });
    const answers = await Promise.all([drip(`${HEAD}X-Slow: `), open().then(text)]);
    for (const answer of answers) expect(answer).to.match(/^HTTP\/1\.1 408 /);
  });

  it('is cut off where it leaves its answer unread', async () => {
    await start({ silentMs: REQUEST_MS });
    const socket = await open();
    socket.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [, res] = (await once(server, 'request')) as [unknown, ServerResponse];
    await once(res, 'close');
    socket.resume();
    await once(socket, 'close');
    expect(socket.bytesRead).to.be.below(ANSWER_BYTES);
  });

  it('is refused above the limit of connections, unless an idle connection can be closed for it', async () => {
    await start({ maxConnections: 2 });
    const ask = async (socket: Socket): Promise<string> => {
      socket.write(`${HEAD}\r\n${'x'.repeat(100)}`);
      return String(await once(socket, 'data'));
    };
    const idle = await open();
    const busy = await open();
    busy.write(`${HEAD}\r\n`);
    expect(await ask(idle)).to.match(/^HTTP\/1\.1 200 /);
    const idleClosed = once(idle, 'close');
    const refused = await open();
    await once(refused, 'close');
    await idleClosed;
    expect(await ask(await open())).to.match(/^HTTP\/1\.1 200 /);
    busy.write('x'.repeat(100));
    expect(String(await once(busy, 'data')), 'a request under way is left alone').to.match(/^HTTP\/1\.1 200 /);
  });
});
