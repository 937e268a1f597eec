#!/usr/bin/env bash
# The format `date-time` of ajv-formats 3.0.1 (npm, with ajv 8.20.0), in its modes "full" and "fast".
# Expected: what passes is a timestamp of RFC 3339 that `new Date` reads, and "full" takes a part of what "fast" takes.
# Seen: an offset of hours alone (+01) passes in both modes and is an Invalid Date, as is a leap second, which RFC 3339 has. "full" takes a
# tab or a blank for the T, where "fast" takes neither; "fast" takes an offset of 24 hours and an hour of 24.
# Why it matters: code behind the check that calls toISOString() on such a value throws, and the client gets a 500 for a timestamp that the schema
# has let through. The service puts its own check of timestamps in the place of this format.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent ajv@8.20.0 ajv-formats@3.0.1
cat >compare.cjs <<'JS'
const Ajv = require('ajv').default;
const formats = require('ajv-formats').default;
const checkOf = (mode) => {
  const ajv = new Ajv();
  formats(ajv, { mode });
  return ajv.compile({ type: 'string', format: 'date-time' });
};
const [full, fast] = [checkOf('full'), checkOf('fast')];
const seen = [
  ['2026-03-01T12:00:00+01', 'full,fast', 'invalid'],
  ['2016-12-31T23:59:60Z', 'full,fast', 'invalid'],
  ['2026-03-01T12:00:00+0100', 'full,fast', 'valid'],
  ['2026-03-01\t12:00:00Z', 'full', 'valid'],
  ['2026-03-01 12:00:00Z', 'full', 'valid'],
  ['2026-03-01T12:00:00+24:00', 'fast', 'invalid'],
  ['2026-03-01T24:00:00Z', 'fast', 'valid'],
];
let changed = false;
for (const [text, modes, date] of seen) {
  const passes = [full(text) && 'full', fast(text) && 'fast'].filter(Boolean).join();
  const is = Number.isNaN(new Date(text).getTime()) ? 'invalid' : 'valid';
  console.log(`${JSON.stringify(text)}: passes ${passes}; ${is} as a Date`);
  changed ||= passes !== modes || is !== date;
}
if (changed) throw new Error('the behaviour has changed');
JS
node compare.cjs
