#!/usr/bin/env bash
# An answer in JSON lines whose last line has no newline, read by ClickHouse's client for Node (npm: @clickhouse/client 1.23.1).
# Expected: the last line is a row, as in any reader of JSON lines (the newline at the end is optional there); and a line that
# is cut in its middle is an error.
# Seen: both are dropped without an error, by json() and by stream(): two rows without a newline at the end give one, and an answer that ends
# cleanly within its third row gives two.
# Why it matters: a proxy that trims an answer, or a server that ends one early without breaking the connection, gives fewer rows and no error. A sum
# over them is a wrong sum. Count the rows (a last line that says how many, or FORMAT JSONCompact with its "rows") where an answer must be whole.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent @clickhouse/client@1.23.1
cat >compare.cjs <<'JS'
const { createServer } = require('node:http');
const { createClient } = require('@clickhouse/client');
async function rowsOf(body) {
  const server = createServer((request, response) => request.resume().on('end', () => response.end(body)));
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const client = createClient({ url: `http://127.0.0.1:${server.address().port}` });
  const ask = () => client.query({ query: 'SELECT a FROM t', format: 'JSONEachRow' });
  const all = await (await ask()).json();
  let streamed = 0;
  for await (const rows of (await ask()).stream()) streamed += rows.length;
  await client.close();
  server.close();
  return [all.length, streamed].join();
}
(async () => {
  const whole = await rowsOf('{"a":"1"}\n{"a":"2"}\n');
  const trimmed = await rowsOf('{"a":"1"}\n{"a":"2"}');
  const cut = await rowsOf('{"a":"1"}\n{"a":"2"}\n{"a":"3');
  console.log(`rows by json() and stream(): whole ${whole}; without the last newline ${trimmed}; cut within the third ${cut}`);
  if (whole !== '2,2' || trimmed !== '1,1' || cut !== '2,2') throw new Error('the behaviour has changed');
})();
JS
node compare.cjs
