import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { useService, useShop } from '../support/service.js';

const order = {
  order_id: '1',
  placed_at: '2026-03-01T00:00:00Z',
  currency: 'EUR',
  status: 'paid',
  line_items: [{ line_id: 'a', quantity: '1', unit_price: '1' }],
  total: '1',
};

describe('requests on the wire', () => {
  const service = useService({ workers: false });
  const shop = useShop(service);

  const push = (raw: string | Buffer, headers: Record<string, string> = {}) =>
    service.call('POST', '/v1/orders?validate_only=1', { key: shop.key, raw, headers });

  it('keeps the request id of the caller where it has the right form', async () => {
    const id = async (given: string) => (await service.call('GET', '/healthz', { headers: { 'X-Request-Id': given } })).headers.get('x-request-id'); // prettier-ignore
    for (const given of ['a', 'A.b_c-9', 'x'.repeat(128)]) expect(await id(given)).to.equal(given);
    for (const given of ['', 'x'.repeat(129), 'a b', 'a/b', 'ä', '{}']) {
      expect(await id(given), given).to.match(/^[0-9a-f-]{36}$/);
    }
    const answer = await service.call('GET', '/v1/nothing', { headers: { 'X-Request-Id': 'mine' } });
    expect(answer.body.request_id).to.equal('mine');
  });

  it('takes bodies with gzip, and types with parameters in any case', async () => {
    const body = JSON.stringify({ orders: [order] });
    expect((await push(gzipSync(body), { 'Content-Encoding': 'gzip' })).body.accepted).to.equal(1);
    expect((await push(gzipSync(body), { 'Content-Encoding': 'GZIP' })).body.accepted).to.equal(1);
    expect((await push(body, { 'Content-Type': 'Application/JSON ; charset=UTF-8' })).body.accepted).to.equal(1);
    expect((await push(body, { 'Content-Encoding': 'identity' })).body.accepted).to.equal(1);
  });

  it('limits the inflated body to four megabytes exactly', async () => {
    const filled = (size: number): string => {
      const body = JSON.stringify({ orders: [order] });
      return body + ' '.repeat(size - body.length);
    };
    const limit = 4 * 1024 * 1024;
    for (const [size, status] of [[limit, 200], [limit + 1, 413]] as const) {
      expect((await push(filled(size))).status, `${size} plain`).to.equal(status);
      expect((await push(gzipSync(filled(size)), { 'Content-Encoding': 'gzip' })).status, `${size} gzip`).to.equal(status);
    } // prettier-ignore
  });

  it('stops reading a body without a length once it is too long', async () => {
    const chunk = Buffer.alloc(256 * 1024, 0x20);
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += chunk.length;
        if (sent > 64 * 1024 * 1024) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const response = await fetch(`${service.url}/v1/orders`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${shop.key}`, 'Content-Type': 'application/json' },
      body: stream,
      duplex: 'half',
    });
    expect(response.status).to.equal(413);
    expect(((await response.json()) as { errors: { code: string }[] }).errors[0]?.code).to.equal('body_too_large');
  });

  it('answers HEAD as GET, without a body', async () => {
    const answer = await service.call('HEAD', '/v1/source', { key: shop.key });
    expect([answer.status, answer.body]).to.deep.equal([200, '']);
  });

  /** Sends bytes as they are and gives all that comes back, until the service closes the connection. */
  const raw = (text: string | Buffer): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.on('error', reject);
      socket.on('close', () => resolve(answer));
    });
  const wrong: [string, string | Buffer][] = [
    ['what is not HTTP', 'hello\r\n\r\n'],
    ['a head without end', `GET /healthz HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(100_000)}`],
    ['two lengths', 'POST /v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
    ['a length beside chunks', 'POST /v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['no Host', 'POST /v1/collect HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}'],
    ['binary', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])],
  ]; // prettier-ignore
  for (const [name, bytes] of wrong) {
    it(`answers ${name} with the error body of every failure`, async () => {
      const [head = '', body = ''] = (await raw(bytes)).split('\r\n\r\n');
      expect(head).to.match(/^HTTP\/1\.1 400 /);
      const { errors, request_id } = JSON.parse(body) as { errors: { code: string }[]; request_id: string };
      expect(errors[0]?.code).to.equal('invalid_request');
      expect(head).to.include(`X-Request-Id: ${request_id}`);
    });
  }

  it('passes over an Expect that it does not know', async () => {
    const answer = await raw(
      `GET /v1/source HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${shop.key}\r\nExpect: x\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).to.match(/^HTTP\/1\.1 200 /);
  });

  it('survives a client that goes away in the middle of its body', async () => {
    const head = `POST /v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${shop.key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"orders"`;
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => {
        socket.write(head, () => setTimeout(() => socket.destroy(), 50));
      });
      socket.on('close', () => resolve());
    });
    expect((await service.call('GET', '/healthz')).status).to.equal(200);
  });
});
