#!/usr/bin/env bash
# An amount that is held within the bounds of a type, as ClickHouse and DuckDB compute it (npm: chdb 3.4.0, the engine 26.7.2;
# @duckdb/node-api 1.5.6-r.1).
# Expected: a function of NULL is NULL, as it is for + and round in both, so least(greatest(amount, low), high) of an unknown amount is NULL.
# Seen: it is the low bound in both, since greatest and least pass over NULL; the engine's own clamp(amount, low, high) is NULL. Where all
# arguments are NULL the answer is NULL, so a test of the bounds alone finds nothing.
# Why it matters: a view that cuts amounts to the digits that readers hold shows an unknown cost as the lowest amount that there is; sums
# over it are wrong, and nothing fails. What is unknown has to be asked for by itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >compare.cjs <<'JS'
const { queryAsync } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
const TERMS = ['amount + 1', 'round(amount)', 'least(greatest(amount, -100), 100)', 'least(greatest(amount, NULL), NULL)'];
(async () => {
  const sql = (terms, type) => `SELECT ${terms.map((term, i) => `${term} AS t${i}`).join(', ')} FROM (SELECT CAST(NULL AS ${type}) AS amount)`;
  const engine = JSON.parse((await queryAsync(sql([...TERMS, 'clamp(amount, -100, 100)'], 'Nullable(Int64)'), { format: 'JSONCompactEachRow' })).text());
  const duck = await (await DuckDBInstance.create()).connect();
  const [row] = (await duck.runAndReadAll(sql(TERMS, 'BIGINT'))).getRowsJson();
  console.log('ClickHouse', JSON.stringify(engine), 'DuckDB', JSON.stringify(row));
  const same = (values, expected) => JSON.stringify(values.map((value) => (value === null ? null : Number(value)))) === JSON.stringify(expected);
  if (!same(engine, [null, null, -100, null, null]) || !same(row, [null, null, -100, null])) throw new Error('the behaviour has changed');
})();
JS
node compare.cjs
