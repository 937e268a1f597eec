#!/usr/bin/env bash
# A filter by a column whose name the SELECT list gives to something else, in ClickHouse (npm: chdb 3.4.0, the engine 26.7.2) and DuckDB
# (@duckdb/node-api 1.5.6-r.1).
# Expected: WHERE is read before SELECT, so that in "SELECT toStartOfMonth(day) AS day, sum(amount) … WHERE day >= '2026-01-15' GROUP BY day" it
# means the column, and the half of January is counted.
# Seen: DuckDB does that. ClickHouse takes the alias: 2026-01-01 is before the 15th, and January is gone without an error. With
# prefer_column_name_to_alias = 1 it takes the column, but GROUP BY takes it too: 45 rows instead of two. Named with its table (t.day) it is the
# column.
# Why it matters: tools that group by month write this (Grafana names each truncated day like its column), and a month of money is missing. Each
# view has its day a second time as on_day, a name that no tool gives to a truncated day; /bi says to filter by it, and tests do with real tools.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >alias.cjs <<'JS'
const { queryAsync } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
const days = "(SELECT toDate('2026-01-01') + number AS day, day AS on_day, 1 AS orders FROM numbers(59)) AS t";
const clickhouse = async (where, end = '') => {
  const sql = `SELECT toStartOfMonth(t.day) AS day, sum(orders) FROM ${days} WHERE ${where} GROUP BY day ORDER BY day ${end}`;
  return (await queryAsync(sql, { format: 'TSVRaw' })).text().trim().replaceAll(/[\n\t]/g, ' ');
};
const duckdb = async (where) => {
  const connection = await (await DuckDBInstance.create()).connect();
  const from = "(SELECT CAST(day AS DATE) AS day, 1 AS orders FROM range(DATE '2026-01-01', DATE '2026-03-01', INTERVAL 1 DAY) r(day)) AS t";
  const sql = `SELECT date_trunc('month', t.day) AS day, sum(orders) FROM ${from} WHERE ${where} GROUP BY date_trunc('month', t.day) ORDER BY 1`;
  return (await connection.runAndReadAll(sql)).getRowsJson().map(([day, sum]) => `${String(day).slice(0, 10)} ${sum}`).join(' ');
};

(async () => {
  const seen = {
    'DuckDB, day': await duckdb("day >= '2026-01-15'"),
    'ClickHouse, day': await clickhouse("day >= '2026-01-15'"),
    'ClickHouse, setting': await clickhouse("day >= '2026-01-15'", 'SETTINGS prefer_column_name_to_alias = 1').then((rows) => `${rows.split(' ').length / 2} rows`),
    'ClickHouse, t.day': await clickhouse("t.day >= '2026-01-15'"),
    'ClickHouse, on_day': await clickhouse("on_day >= '2026-01-15'"),
  };
  console.log(seen);
  const whole = '2026-01-01 17 2026-02-01 28';
  const expected = [whole, '2026-02-01 28', '45 rows', whole, whole];
  if (Object.values(seen).join() !== expected.join()) throw new Error('the behaviour has changed');
})();
JS
node alias.cjs
