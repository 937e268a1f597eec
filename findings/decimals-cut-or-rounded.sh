#!/usr/bin/env bash
# An amount with more decimals than its column has, in ClickHouse (npm: chdb 3.4.0, the engine 26.7.2) and DuckDB (@duckdb/node-api 1.5.6-r.1).
# Expected: both round 1.999 to 2.00 for a Decimal(18, 2), or both refuse it; "accurateCast" refuses what loses digits.
# Seen: DuckDB rounds to 2.00. ClickHouse cuts to 1.99: in casts, also in accurateCast and toDecimal64OrNull, and when it reads JSON or CSV.
# Its own round() of the same number gives 2.00.
# Why it matters: the same file loaded into both differs by up to a cent an amount, always to the same side, and no error is raised. The service takes
# amounts as text, checks their decimals before they are stored, and does its rounding itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >compare.cjs <<'JS'
const { query } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
const clickhouse = (sql) => query(`SELECT toString(${sql})`, 'TSV').trim();
const texts = [
  "CAST('1.999' AS Decimal(18, 2))",
  "accurateCast('1.999', 'Decimal(18, 2)')",
  "toDecimal64OrNull('1.999', 2)",
  `(SELECT a FROM format(JSONEachRow, 'a Decimal(18, 2)', '{"a":"1.999"}'))`,
  "(SELECT a FROM format(CSV, 'a Decimal(18, 2)', '1.999'))",
];
(async () => {
  let changed = false;
  for (const text of texts) {
    console.log(`ClickHouse ${text}: ${clickhouse(text)}`);
    changed ||= clickhouse(text) !== '1.99';
  }
  const rounded = clickhouse("round(toDecimal64('1.999', 3), 2)");
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const [[duck]] = (await connection.runAndReadAll("SELECT CAST('1.999' AS DECIMAL(18, 2))")).getRowsJson();
  console.log(`ClickHouse round: ${rounded}; DuckDB cast: ${duck}`);
  if (changed || Number(rounded) !== 2 || duck !== '2.00') throw new Error('the behaviour has changed');
})();
JS
node compare.cjs
