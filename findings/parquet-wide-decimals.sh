#!/usr/bin/env bash
# A Decimal of 76 digits on its way by Parquet from ClickHouse (npm: chdb 3.4.0, the engine 26.7.2) to DuckDB (@duckdb/node-api 1.5.6-r.1).
# Expected: DuckDB, whose Decimals have at most 38 digits, refuses the column or narrows it to DECIMAL(38, x).
# Seen: it reads the column as DOUBLE, and no warning says so: a sum of 0.1 and 0.2 is 0.30000000000000004, while Decimal(38, 12) beside it stays exact.
# Why it matters: sums and products of Decimals in ClickHouse widen to 76 digits by themselves, so a view gets such a column that nobody
# asked for, and its readers get floats for money.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >compare.cjs <<'JS'
const { writeFileSync } = require('node:fs');
const { queryAsync } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
  const amounts = "SELECT toDecimal128(x, 12) AS narrow, toDecimal256(x, 12) AS wide FROM (SELECT arrayJoin(['0.1', '0.2']) AS x)";
  writeFileSync('amounts.parquet', (await queryAsync(amounts, { format: 'Parquet' })).bytes());
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const read = "SELECT typeof(any_value(narrow)), sum(narrow)::VARCHAR, typeof(any_value(wide)), sum(wide)::VARCHAR FROM 'amounts.parquet'";
  const [row] = (await connection.runAndReadAll(read)).getRowsJson();
  console.log(row.join(', '));
  if (row.join() !== 'DECIMAL(38,12),0.300000000000,DOUBLE,0.30000000000000004') throw new Error('the behaviour has changed');
})();
JS
node compare.cjs
