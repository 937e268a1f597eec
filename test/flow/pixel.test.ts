import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { useService } from '../support/service.js';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

describe('GET /pixel.js', () => {
  const service = useService({ workers: false });

  /** Without the decoding that `fetch` does by itself. */
  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      request(service.url + path, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) });
        });
      })
        .on('error', reject)
        .end();
    });

  it('gives the script to any page, to be kept long', async () => {
    const { status, headers, bytes } = await get('/pixel.js');
    expect(status).to.equal(200);
    expect(headers).to.include({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['cache-control']).to.match(/^public, max-age=\d{5,}/);
    expect(headers['content-encoding']).to.equal(undefined);
    expect(bytes.toString()).to.include('data-token');
  });

  it('comes compressed, each form with its own ETag, and not at all when it is known', async () => {
    const plain = await get('/pixel.js');
    const gzip = await get('/pixel.js', { 'Accept-Encoding': 'gzip' });
    const brotli = await get('/pixel.js', { 'Accept-Encoding': 'gzip, deflate, br' });
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).to.equal(true);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).to.equal(true);
    expect(new Set([plain, gzip, brotli].map(({ headers }) => headers.etag)).size).to.equal(3);
    expect(brotli.headers.vary).to.equal('Accept-Encoding');
    const known = { 'Accept-Encoding': 'br', 'If-None-Match': brotli.headers.etag ?? '' };
    const again = await get('/pixel.js', known);
    expect([again.status, again.bytes.length]).to.deep.equal([304, 0]);
    expect(again.headers.etag).to.equal(brotli.headers.etag);
  });

  it('stands under a name of its version that never changes, and an earlier one leads to it', async () => {
    const { headers, bytes } = await get('/pixel.js');
    const versioned = await get(headers['content-location'] ?? '');
    expect(versioned.bytes.equals(bytes)).to.equal(true);
    expect(versioned.headers['cache-control']).to.include('immutable');
    const earlier = await get('/pixel.0123456789abcdef.js');
    expect([earlier.status, earlier.headers.location]).to.deep.equal([302, '/pixel.js']);
    expect((await get('/pixel.js.map')).status).to.equal(404);
  });

  it('has the script for hosts of several domains by its side', async () => {
    const { status, headers, bytes } = await get('/decorate.js');
    expect([status, headers['content-type']]).to.deep.equal([200, 'text/javascript; charset=utf-8']);
    expect(bytes.toString()).to.include('profit_session');
  });
});
