import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { requestError, RequestError } from '../../src/errors.js';
import { readBody } from '../../src/body/read-body.js';

describe('the body of a request', () => {
  /** What reading the body comes to of a request that is written in parts, after which its connection is closed. */
  const read = async (...parts: string[]): Promise<unknown> => {
    const server = createServer().listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => undefined); // what becomes of the client is no part of this
      const asked = once(server, 'request') as Promise<[IncomingMessage]>;
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${parts[0]}`);
      const [req] = await asked;
      const body = readBody(req, 10).catch((error: unknown) => error);
      for (const part of parts.slice(1)) socket.write(part);
      socket.end();
      return await body;
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };
  const codeOf = (error: unknown): string => {
    expect(error).to.be.instanceOf(RequestError);
    return (error as RequestError).errors[0].code;
  };

  it('is put together of its parts', async () => {
    expect(await read('Content-Length: 4\r\n\r\n', 'ab', 'cd')).to.deep.equal(Buffer.from('abcd'));
    expect(await read('Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n', '1\r\nc\r\n0\r\n\r\n')).to.deep.equal(
      Buffer.from('abc'),
    );
    expect(await read('Content-Length: 0\r\n\r\n')).to.deep.equal(Buffer.alloc(0));
  });

  it('is counted while it is inflated, and no longer than there is room', async () => {
    const packed = gzipSync(Buffer.alloc(8 * 1024 * 1024));
    const req = Object.assign(Readable.from([packed]), { headers: { 'content-encoding': 'gzip' } });
    let held = 0;
    const error: unknown = await readBody(req as unknown as IncomingMessage, 8 * 1024 * 1024, (bytes) => {
      held += bytes;
      if (held > 1024 * 1024) throw requestError('rate_limited', 'No room.');
    }).catch((thrown: unknown) => thrown);
    expect(codeOf(error)).to.equal('rate_limited');
    expect(held).to.be.below(1.2 * 1024 * 1024);
  });

  it('is refused when the connection closes before its end', async () => {
    expect(codeOf(await read('Content-Length: 4\r\n\r\n', 'ab'))).to.equal('invalid_request');
    expect(codeOf(await read('Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n'))).to.equal('invalid_request');
  });

  it('is refused as soon as it is too long, whether or not its length is told', async () => {
    expect(codeOf(await read('Content-Length: 11\r\n\r\n', 'a'))).to.equal('body_too_large');
    expect(codeOf(await read('Transfer-Encoding: chunked\r\n\r\n', 'b\r\nabcdefghijk\r\n'))).to.equal('body_too_large');
  });
});
