#!/usr/bin/env bash
# `format: date-time` in generated zod schemas (npm: @hey-api/openapi-ts 0.99.0 with its plugin "zod", orval 8.38.0 with `client: 'zod'`, zod 4.6.7).
# Expected: a timestamp of RFC 3339, which the format is, passes: 2026-03-01T09:30:00+01:00.
# Seen: orval writes `iso.datetime({ offset: true })` and takes it. hey-api writes `iso.datetime()`, which takes UTC ("Z") alone, and refuses it,
# unless its plugin has `dates: { offset: true }`.
# Also seen: hey-api writes the pattern ^[^\u0000-\u001f]*$ with the control characters themselves, so grep and git take its file for binary.
# Why it matters: the client refuses, before anything is sent, what the document gives as an example and the server takes. Orders of a shop have
# the offset of its zone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent @hey-api/openapi-ts@0.99.0 orval@8.38.0 zod@4.6.7 typescript@6.0.3 tsx@4.20.6
cat >openapi.json <<'JSON'
{ "openapi": "3.1.0", "info": { "title": "orders", "version": "1" }, "paths": { "/orders": { "post": { "operationId": "pushOrder",
  "requestBody": { "required": true, "content": { "application/json": { "schema": { "type": "object", "required": ["placed_at", "id"],
    "properties": { "placed_at": { "type": "string", "format": "date-time" }, "id": { "type": "string", "pattern": "^[^\\u0000-\\u001f]*$" } } } } } },
  "responses": { "204": { "description": "ok" } } } } } }
JSON
cat >openapi-ts.config.mjs <<'JS'
const job = (output, zod) => ({ input: './openapi.json', output, plugins: ['@hey-api/typescript', { name: 'zod', ...zod }] });
export default [job('./hey', {}), job('./hey-offset', { dates: { offset: true } })];
JS
cat >orval.config.cjs <<'JS'
module.exports = { zod: { input: './openapi.json', output: { mode: 'single', client: 'zod', target: './orval.ts' } } };
JS
npx openapi-ts >/dev/null
npx orval --config orval.config.cjs >/dev/null
cat >check.mts <<'JS'
import { readFileSync } from 'node:fs';
import * as hey from './hey/zod.gen.ts';
import * as offset from './hey-offset/zod.gen.ts';
import * as orval from './orval.ts';
const order = { id: '1', placed_at: '2026-03-01T09:30:00+01:00' };
const passes = [hey.zPushOrderBody, offset.zPushOrderBody, orval.PushOrderBody].map((schema) => schema.safeParse(order).success);
const raw = readFileSync('hey/zod.gen.ts').includes(0);
console.log('hey-api, hey-api with offset, orval pass:', passes.join(), '; a NUL in the source:', raw);
if (passes.join() !== 'false,true,true' || !raw) throw new Error('the behaviour has changed');
JS
npx tsx check.mts
