#!/usr/bin/env bash
# The accurate cast of ClickHouse from a wide to a narrower Decimal (npm: chdb 3.4.0, the engine 26.7.2).
# Expected: accurateCastOrNull(x, 'Decimal(38, 12)') gives NULL for a number of more than 38 digits: it is the cast that loses nothing.
# Seen: it gives NULL for a text of 39 digits, but lets a Decimal256 of 39 digits through as long as it fits the 128 bits of the storage,
# up to 170141183460469231731687303.715884105727. The column then holds a number that its own type cannot say.
# Why it matters: the cast looks like a guard that keeps amounts within 38 digits, for readers that hold no more (Parquet, Arrow, DuckDB).
# It is none; the bound has to be compared itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0
cat >compare.cjs <<'JS'
const { query } = require('chdb');
const cast = (x) => query(`SELECT accurateCastOrNull(${x}, 'Decimal(38, 12)') AS y, toTypeName(y)`, 'TSV').trim().replace('\t', ' of the type ');
const seen = {
  "'123456789012345678901234567.123456789012'": '\\N',
  "toDecimal256('123456789012345678901234567.123456789012', 12)": '123456789012345678901234567.123456789012',
  "toDecimal256('170141183460469231731687303.715884105727', 12)": '170141183460469231731687303.715884105727',
  "toDecimal256('170141183460469231731687303.715884105728', 12)": '\\N',
};
let changed = false;
for (const [x, was] of Object.entries(seen)) {
  const is = cast(x);
  console.log(`${x}: ${is}`);
  changed ||= !is.startsWith(`${was} `) || !is.includes('Decimal(38, 12)');
}
if (changed) throw new Error('the behaviour has changed');
JS
node compare.cjs
