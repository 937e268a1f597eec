#!/usr/bin/env bash
# An answer that breaks off, as clients in Node.js see it (run with 20.20.2, its fetch of undici 6.24.1, and npm: undici 7.10.0).
# Expected: an error, where the last chunk of a chunked answer is missing, and where a connection is reset whose end is that of the answer.
# Seen: if the answer says "Connection: close", fetch and undici give what has come so far as the whole, although the last chunk is missing, whether the
# connection was closed or reset; node:http tells ECONNRESET. Without that header all three give an error. An answer without chunks or length, which
# ends with its connection, is whole for node:http too after a reset, if the client was busy when it came; one that reads at once gets ECONNRESET.
# Why it matters: half a file of orders is imported as all of it. Exports are sent in chunks on connections that stay open, and a test reads one that
# breaks off with fetch. Who asks for "Connection: close" with fetch loses that.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent undici@7.10.0
cat >server.cjs <<'JS'
const LINES = 'order,total\r\n1,10.00\r\n';
const CHUNK = `Transfer-Encoding: chunked\r\n\r\n${LINES.length.toString(16)}\r\n${LINES}\r\n`;
const ANSWERS = { kept: CHUNK, close: `Connection: close\r\n${CHUNK}`, plain: `Connection: close\r\n\r\n${LINES}` };
require('node:net')
  .createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (request) => {
      const [, kind, end] = String(request).split(' ')[1].split('/');
      const cut = () => (end === 'reset' ? socket.resetAndDestroy() : socket.end());
      socket.write(`HTTP/1.1 200 OK\r\n${ANSWERS[kind]}`, () => setTimeout(cut, 100));
    });
  })
  .listen(0, '127.0.0.1', function () {
    console.log(this.address().port);
  });
JS
cat >client.cjs <<'JS'
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const http = require('node:http');
const undici = require('undici');
const busy = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);

(async () => {
  const server = spawn(process.execPath, ['server.cjs']);
  const at = `http://127.0.0.1:${String((await once(server.stdout, 'data'))[0]).trim()}`;
  const told = (text) => text.then(({ length }) => `whole, ${length} bytes`, () => 'an error');
  const byFetch = (path) => told(fetch(at + path).then((answer) => answer.text()));
  const byUndici = (path) => told(undici.request(at + path).then(({ body }) => body.text()));
  const byHttp = (path, isBusy = false) =>
    told(
      new Promise((resolve, reject) => {
        const request = http.get(at + path, { agent: false }, (answer) => {
          let text = '';
          answer.on('data', (piece) => (text += piece));
          answer.on('end', () => resolve(text)).on('error', reject);
        });
        request.on('error', reject);
        // The request has left by then.
        if (isBusy) request.on('finish', () => setImmediate(busy));
      }),
    );
  const seen = {};
  for (const path of ['/close/end', '/close/reset', '/kept/end', '/kept/reset'])
    seen[path] = [await byFetch(path), await byUndici(path), await byHttp(path)].join(' · ');
  seen['/plain/reset'] = await byHttp('/plain/reset');
  seen['/plain/reset, busy'] = await byHttp('/plain/reset', true);
  console.log(seen);
  server.kill();
  const cut = 'whole, 22 bytes · whole, 22 bytes · an error';
  const everywhere = 'an error · an error · an error';
  const expected = [cut, cut, everywhere, everywhere, 'an error', 'whole, 22 bytes'];
  if (Object.values(seen).join() !== expected.join()) throw new Error('the behaviour has changed');
})();
JS
node client.cjs
