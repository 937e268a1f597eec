#!/usr/bin/env bash
# A path parameter in generated clients (npm: orval 8.38.0, swagger-typescript-api 13.13.0, @hey-api/openapi-ts 0.99.0), with the same OpenAPI 3.1 document.
# Expected: each of them encodes the parameter, as OpenAPI's style "simple" asks for: the order #1001 is asked for as /orders/%231001.
# Seen: only hey-api encodes. orval's fetch client and swagger-typescript-api put the value into the path as it is, so "#1001" becomes a
# fragment, which is never sent: the request is GET /orders/, the list. orval encodes with `urlEncodeParameters`; swagger-typescript-api has
# no such option.
# Why it matters: names of Shopify's orders begin with "#". The caller gets an answer of another shape with the status 200, unless the server
# refuses an empty id.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent orval@8.38.0 swagger-typescript-api@13.13.0 @hey-api/openapi-ts@0.99.0 typescript@6.0.3
cat >openapi.json <<'JSON'
{ "openapi": "3.1.0", "info": { "title": "orders", "version": "1" }, "paths": { "/orders/{order_id}": { "get": { "operationId": "getOrder",
  "parameters": [{ "name": "order_id", "in": "path", "required": true, "schema": { "type": "string" } }],
  "responses": { "200": { "description": "ok", "content": { "application/json": { "schema": { "type": "object" } } } } } } } } }
JSON
cat >orval.config.cjs <<'JS'
const client = (target, more) => ({ input: './openapi.json', output: { mode: 'single', client: 'fetch', target, ...more } });
module.exports = { plain: client('./orval.ts', {}), encoded: client('./orval-encoded.ts', { urlEncodeParameters: true }) };
JS
npx orval --config orval.config.cjs >/dev/null
npx swagger-typescript-api generate -p openapi.json -o . -n swagger.ts >/dev/null
npx openapi-ts -i openapi.json -o hey >/dev/null
cat >ask.mts <<'JS'
import * as plain from './orval.ts';
import * as encoded from './orval-encoded.ts';
import { Api } from './swagger.ts';
import { getOrder } from './hey/sdk.gen.ts';
import { createServer } from 'node:http';

let asked = '';
const server = createServer((request, response) => {
  asked = request.url ?? '';
  response.setHeader('content-type', 'application/json').end('{}');
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
const baseUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
const send = globalThis.fetch;
globalThis.fetch = (input, init) => send(typeof input === 'string' && input.startsWith('/') ? baseUrl + input : input, init);
const id = '#1001';
const seen: Record<string, string> = {};
for (const [name, ask] of Object.entries({
  'orval': () => plain.getOrder(id),
  'orval with urlEncodeParameters': () => encoded.getOrder(id),
  'swagger-typescript-api': () => new Api({ baseUrl }).orders.getOrder(id),
  'hey-api': () => getOrder({ baseUrl, path: { order_id: id } }),
})) {
  await ask();
  seen[name] = asked;
}
server.close();
console.log(seen);
if (Object.values(seen).join() !== '/orders/,/orders/%231001,/orders/,/orders/%231001') throw new Error('the behaviour has changed');
JS
npm install --no-audit --no-fund --silent tsx@4.20.6
npx tsx ask.mts
