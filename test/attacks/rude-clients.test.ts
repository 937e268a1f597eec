import { connect, type Socket } from 'node:net';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { isAlive } from '../embedded/processes.js';
import { PASSWORD, startAnalysts, type Analysts } from '../bi/analysts.js';
import { keptUser, startBiProxy } from '../support/bi-proxy.js';

const basic = `Authorization: Basic ${Buffer.from(`bi_a:${PASSWORD}`).toString('base64')}\r\n`;
const post = (length: number, more = basic): string =>
  `POST / HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${length}\r\n\r\n`;
const long = 'SELECT number, randomPrintableASCII(1000) FROM numbers(10000000) FORMAT TSV';
const slow = 'SELECT sleepEachRow(1) FROM numbers(50) SETTINGS max_block_size = 1';
const nativeHello = Buffer.concat(
  ['\0\x01x\x01\x01\xd0\xa9\x03\0', '\x07default', '\x03bad'].map((text) => Buffer.from(text, 'latin1')),
);

/** What a client does on a fresh connection; the test ends it when it hasn't itself. */
const RUDE: Record<string, (socket: Socket) => void> = {
  'no HTTP': (socket) => socket.end('BAD\r\n\r\n'),
  'random bytes': (socket) => socket.write(randomBytes(2_000)),
  'a native sign-in with a wrong password': (socket) => socket.write(nativeHello),
  'TLS where there is none': (socket) => socket.write(Buffer.from('1603010200010001fc0303', 'hex')),
  'a reset after the first line': (socket) => {
    socket.write('GET /ping HTTP/1.1\r\n');
    socket.resetAndDestroy();
  },
  'a wrong password': (socket) => {
    const wrong = 'X-ClickHouse-User: bi_a\r\nX-ClickHouse-Key: wrong\r\n';
    socket.write(`${post(8, wrong)}SELECT 1`);
  },
  'half a body': (socket) => socket.end(`${post(1_000)}SELECT`),
  'a reset in the middle of the body': (socket) => {
    socket.write(`${post(1_000)}SELECT`, () => socket.resetAndDestroy());
  },
  'a broken chunk': (socket) =>
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${basic}Transfer-Encoding: chunked\r\n\r\nzz\r\nSELECT 1\r\n0\r\n\r\n`),
  'both lengths': (socket) =>
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\n${basic}Content-Length: 8\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nSELECT 1\r\n0\r\n\r\n`,
    ),
  'a body that is not the gzip that it says': (socket) =>
    socket.write(`${post(8, `${basic}Content-Encoding: gzip\r\n`)}SELECT 1`),
  'a broken form': (socket) =>
    socket.write(`${post(12, `${basic}Content-Type: multipart/form-data; boundary=b\r\n`)}--b\r\nbroken`),
  'a header without an end': (socket) => socket.write(`GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}`),
  'an address of broken escapes': (socket) => socket.write(`GET /?query=%zz%ff%00 HTTP/1.1\r\nHost: x\r\n${basic}\r\n`),
  'an upgrade': (socket) =>
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${basic}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`),
  'a tunnel': (socket) => socket.write('CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: x\r\n\r\n'),
  'two requests in one': (socket) => socket.end(`${post(8)}SELECT 1${post(8)}SELECT 2`),
  'leaving in the middle of an answer': (socket) => {
    socket.write(`${post(long.length)}${long}`);
    socket.once('data', () => socket.resetAndDestroy());
  },
  'never reading the answer': (socket) => {
    socket.pause();
    socket.write(`${post(long.length)}${long}`);
  },
  'leaving before the answer': (socket) => {
    socket.write(`${post(slow.length)}${slow}`);
    setTimeout(() => socket.destroy(), 200);
  },
};

async function once(port: number, behave: (socket: Socket) => void): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined);
  socket.on('connect', () => behave(socket));
  await Promise.race([closed, sleep(600)]);
  socket.destroy();
}

describe('rude clients', function () {
  this.timeout(600_000);
  let analysts: Analysts;
  before(async () => {
    analysts = await startAnalysts();
  });
  after(() => analysts.stop());

  /** Null where the client has left before the answer. */
  const ask = (url: string, sql: string, user: string, signal?: AbortSignal): Promise<Response | null> =>
    fetch(url, {
      method: 'POST',
      body: sql,
      headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': PASSWORD },
      ...(signal && { signal }),
    }).catch(() => null);
  /** Slow queries of the second user. */
  const running = () =>
    analysts.warehouse.query("SELECT 1 FROM system.processes WHERE user = 'bi_b' AND query LIKE '%numbers(50)%'");

  const survives = async (port: number): Promise<void> => {
    const { pid } = analysts.engines.clickhouse;
    for (const [kind, behave] of Object.entries(RUDE)) {
      await Promise.all(Array.from({ length: 10 }, () => once(port, behave)));
      expect(isAlive(pid), kind).to.equal(true);
    }
    // What a connection does to the engine shows in seconds.
    for (const end = Date.now() + 10_000; Date.now() < end;) {
      await sleep(500);
      expect(isAlive(pid)).to.equal(true);
    }
    // On a busy machine the queries that they left may still hold the places of their user, which is told so.
    let answer = await analysts.ask('SELECT shop_id FROM bi.orders');
    for (const end = Date.now() + 20_000; answer.text.startsWith('Code: 202.') && Date.now() < end;) {
      await sleep(200);
      answer = await analysts.ask('SELECT shop_id FROM bi.orders');
    }
    expect(answer.text).to.equal('a\n');
  };

  it('200 of all kinds leave the engine as it was, and no query of theirs goes on', async () => {
    await survives(analysts.proxy.port);
    const left = async () => {
      const [row] = await analysts.warehouse.query<{ n: string }>(
        "SELECT count() AS n FROM system.processes WHERE user = 'bi_a' AND elapsed > 2",
      );
      return row?.n;
    };
    // Each would go on for most of a minute.
    for (const end = Date.now() + 20_000; (await left()) !== '0' && Date.now() < end;) await sleep(200);
    expect(await left()).to.equal('0');
  });

  it('nor do they end it where another user of the machine finds a port of its own, HTTP or native', async () => {
    await survives(analysts.engines.clickhouse.httpPort);
    await survives(analysts.nativePort);
  });

  it('answers wrong passwords itself, after a few in short, and takes the right one all the same', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 15; attempt++) {
      statuses.push((await analysts.ask('SELECT 1', { password: 'wrong' })).status);
    }
    expect(statuses.slice(-5)).to.deep.equal([429, 429, 429, 429, 429]);
    expect((await analysts.ask('SELECT 1')).text).to.equal('1\n');
  });

  it('ends the query of a client that leaves, and answers 413 to a body that is too long', async () => {
    const leaving = new AbortController();
    const query = 'SELECT sleepEachRow(1) FROM numbers(50) SETTINGS max_block_size = 1';
    const answer = ask(analysts.proxy.url, query, 'bi_a', leaving.signal);
    const ofLeft = () =>
      analysts.warehouse.query<{ read_rows: string }>(
        "SELECT read_rows FROM system.processes WHERE user = 'bi_a' AND query LIKE '%numbers(50)%'",
      );
    while ((await ofLeft()).length === 0) await sleep(50);
    leaving.abort();
    expect(await answer).to.equal(null);
    let read = 0;
    for (let [row] = await ofLeft(); row !== undefined; [row] = await ofLeft()) {
      read = Number(row.read_rows);
      await sleep(50);
    }
    expect(read, 'rows, one a second').to.be.below(30);
    expect((await analysts.ask('x'.repeat(5_000_000))).status).to.equal(413);
  });

  it('256 connections without a head, renewed without end, keep nobody out and disturb nobody', async () => {
    const sockets: Socket[] = [];
    const slowQuery = analysts.ask('SELECT sleep(2)', { user: 'bi_b' });
    try {
      for (let round = 0; round < 3; round++) {
        for (let i = 0; i < 256; i++) {
          const socket = connect(analysts.proxy.port, '127.0.0.1');
          socket.on('error', () => undefined);
          socket.write('POST / HTTP/1.1\r\nHost: x\r\n');
          sockets.push(socket);
        }
        await sleep(300);
        expect((await analysts.ask('SELECT 1')).text).to.equal('1\n');
      }
      expect((await slowQuery).text).to.equal('0\n');
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  it('eight queries of a dashboard are answered, three at a time; 24 at once are too many', async () => {
    const all = (count: number) =>
      Promise.all(Array.from({ length: count }, () => analysts.ask('SELECT sleep(0.3)', { user: 'bi_b' })));
    expect((await all(8)).map(({ status }) => status)).to.deep.equal(Array(8).fill(200));
    // Of queries that do not end meanwhile: one that has ended may still be listed beside the next.
    const leaving = new AbortController();
    const slowOnes = Array.from({ length: 8 }, () => ask(analysts.proxy.url, slow, 'bi_b', leaving.signal));
    while ((await running()).length < 3) await sleep(50);
    for (let looks = 0; looks < 10; looks++) expect(await running()).to.have.length(3);
    leaving.abort();
    await Promise.all(slowOnes);
    while ((await running()).length > 0) await sleep(50);
    const statuses = (await all(24)).map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([...Array<number>(23).fill(200), 429]);
  });

  it('a query that has waited too long for others of its user is refused, and one of another user is not', async () => {
    // Longer than the three before it wait for each other on a busy machine.
    const impatient = await startBiProxy(analysts.engines, ['bi_a', 'bi_b'].map(keptUser), { waitMs: 1_000 });
    const leaving = new AbortController();
    const slowOnes = Array.from({ length: 3 }, () => ask(impatient.url, slow, 'bi_b', leaving.signal));
    while ((await running()).length < 3) await sleep(50);
    const late = await ask(impatient.url, 'SELECT 1', 'bi_b');
    expect(late?.status).to.equal(429);
    expect(late?.headers.get('retry-after')).to.equal('5');
    expect(await late?.text()).to.contain('This user has 3 queries under way');
    expect(await (await ask(impatient.url, 'SELECT 1', 'bi_a'))?.text()).to.equal('1\n');
    leaving.abort();
    await Promise.all(slowOnes);
    while ((await running()).length > 0) await sleep(50);
    await impatient.stop();
  });

  it('leaves room for another user while one holds as many requests open as it can', async () => {
    const sockets = Array.from({ length: 60 }, () => connect(analysts.proxy.port, '127.0.0.1'));
    const refused = sockets.map(
      (socket) =>
        new Promise<string>((resolve) => {
          socket.on('error', () => undefined);
          socket.once('data', (answer) => resolve(String(answer).slice(9, 12)));
          socket.write(`${post(1_000)}SELECT`);
        }),
    );
    try {
      // Those beyond the bound of the user are answered, so all the others have been let in.
      let answered = 0;
      const codes: string[] = [];
      await new Promise<void>((resolve) => {
        for (const answer of refused) {
          void answer.then((code) => {
            codes.push(code);
            if (++answered === 37) resolve();
          });
        }
      });
      expect(new Set(codes)).to.deep.equal(new Set(['429']));
      expect((await analysts.ask('SELECT 1', { user: 'bi_b' })).text).to.equal('1\n');
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});
