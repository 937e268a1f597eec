import { EventEmitter, once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import express, { type ErrorRequestHandler } from 'express';
import Type from 'typebox';
import { createExports, type SendExport } from '../../../src/http/exports/send-export.js';
import { createExportSlots } from '../../../src/http/exports/slots.js';

const SCHEMA = Type.Object({ text: Type.String() });
const BIG_PAGE = Array.from({ length: 1_000 }, () => ({ text: 'x'.repeat(1_000) }));
type Pages = () => AsyncGenerator<object[]>;

describe('sending an export', () => {
  let server: Server;
  let sendExport: SendExport;
  let pages: Pages;
  let failures: unknown[];
  let open: number;

  beforeEach(async () => {
    sendExport = createExports(createExportSlots({ total: 2, each: 1 }));
    failures = [];
    open = 0;
    const app = express();
    app.get('/:shop', async (req, res) => {
      res.locals.key = { shopId: req.params.shop };
      const range = { from: 0, to: 1 };
      open++;
      try {
        await sendExport(req, res, { format: 'csv', name: 'rows', range, schema: SCHEMA, pages: pages() });
      } finally {
        open--;
      }
    });
    const note: ErrorRequestHandler = (error, _req, res, next) => {
      failures.push(error);
      if (res.headersSent) next(error);
      else res.status(500).json({ type: res.get('Content-Type') ?? null });
    };
    app.set('env', 'test').use(note);
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  const port = (): number => (server.address() as AddressInfo).port;
  const ask = async (shop = 'a'): Promise<IncomingMessage> => {
    const req = request({ host: '127.0.0.1', port: port(), path: `/${shop}` }).end();
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    req.on('error', () => undefined); // a reset, which the response tells too
    return res;
  };
  const until = async (holds: () => boolean): Promise<void> => {
    for (const deadline = Date.now() + 60_000; !holds();) {
      await sleep(5);
      if (Date.now() > deadline) throw new Error('waited in vain');
    }
  };

  it('answers a failure of the first page like any other', async () => {
    pages = async function* () {
      yield await Promise.reject<object[]>(new Error('away'));
    };
    const res = await ask();
    expect([res.statusCode, res.headers['content-disposition']]).to.deep.equal([500, undefined]);
    res.setEncoding('utf8');
    expect(JSON.parse(((await res.toArray()) as string[]).join(''))).to.deep.equal({ type: null });
  });

  it('breaks the connection off when a later page fails', async () => {
    const answered = new EventEmitter();
    pages = async function* () {
      yield [{ text: 'a' }];
      await once(answered, 'response');
      yield await Promise.reject<object[]>(new Error('away'));
    };
    const res = await ask();
    answered.emit('response');
    expect(res.statusCode).to.equal(200);
    const failure: unknown = await res.toArray().catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'ECONNRESET');
    await until(() => failures.length > 0);
    expect(String(failures[0])).to.equal('Error: away');

    // fetch takes a part for the whole where the answer says that its connection closes.
    const fetched = await fetch(`http://127.0.0.1:${port()}/a`);
    answered.emit('response');
    expect(await fetched.text().catch((error: unknown) => error)).to.be.instanceOf(TypeError);
  });

  it('resets the connection of a client that takes its end for that of the file', async () => {
    const socket = connect(port(), '127.0.0.1');
    // To a client in Node.js that has not read what came before, a reset is a clean end.
    const hasRead = once(socket, 'data');
    pages = async function* () {
      yield [{ text: 'a' }];
      await hasRead;
      yield await Promise.reject<object[]>(new Error('away'));
    };
    socket.write('GET /a HTTP/1.0\r\n\r\n');
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).to.equal('ECONNRESET');
  });

  it('reads no further when the client has left, and gives its slot back', async () => {
    let read = 0;
    let ended = false;
    pages = async function* () {
      try {
        for (; ; read++) yield await sleep(1, BIG_PAGE);
      } finally {
        ended = true;
      }
    };
    const res = await ask();
    await until(() => read > 3);
    res.destroy();
    res.on('error', () => undefined);
    await until(() => ended && open === 0);
    const before = read;
    await sleep(20);
    expect([read, failures]).to.deep.equal([before, []]);
    pages = async function* () {
      yield await Promise.resolve([{ text: 'next' }]);
    };
    expect((await ask()).statusCode).to.equal(200);
  });

  it('reads no further than a slow client takes', async () => {
    let read = 0;
    pages = async function* () {
      for (; read < 200; read++) yield await Promise.resolve(BIG_PAGE);
    };
    const res = await ask();
    res.pause();
    // As long as nothing more is read, whatever the buffers between take.
    let before = -1;
    while (before !== read) {
      before = read;
      await sleep(100);
    }
    expect(read).to.be.below(50);
    let bytes = 0;
    for await (const part of res) bytes += (part as Buffer).length;
    expect(bytes).to.equal('text\r\n'.length + 200 * 1_000 * 1_002);
  });

  it('refuses more at once than a shop may have, and than there are', async () => {
    pages = async function* () {
      yield BIG_PAGE;
      yield* (async function* (): AsyncGenerator<object[]> {
        for (;;) yield await sleep(5, BIG_PAGE);
      })();
    };
    const [first, other] = [await ask('a'), await ask('b')];
    expect((await ask('a')).statusCode).to.equal(500);
    expect((await ask('c')).statusCode).to.equal(500);
    expect(failures.map(String)).to.deep.equal(Array(2).fill(String(failures[0])));
    expect(String(failures[0])).to.include('rate_limited');
    for (const res of [first, other]) res.on('error', () => undefined).destroy();
    await until(() => open === 0);
    expect((await ask('c')).statusCode).to.equal(200);
  });
});
