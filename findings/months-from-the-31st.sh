#!/usr/bin/env bash
# The days of a monthly charge that began on the 31st, as a series, in ClickHouse (npm: chdb 3.4.0, the engine 26.7.2) and DuckDB
# (@duckdb/node-api 1.5.6-r.1).
# Expected: 31 January, 28 February, 31 March, 30 April: each is the first day plus n months, as `day + INTERVAL n MONTH` is in both.
# Seen: series that are made by the engine add a month to the day before, so February's 28th stays: 28 March, 28 April. WITH FILL … STEP INTERVAL 1
# MONTH of ClickHouse does it, and generate_series and range of DuckDB.
# Why it matters: a renewal or an expense that is charged at the end of the month moves into the month and is compared with the wrong day from
# March on; series that begin on the 1st to 28th show nothing of it. Count n, and add n months to the first day.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >months.cjs <<'JS'
const { queryAsync } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
const clickhouse = async (sql) => (await queryAsync(`SELECT ${sql}`, { format: 'TSVRaw' })).text().trim().replaceAll('\n', ' ').replaceAll('\t', ' ');
const duckdb = async (sql) => {
  const connection = await (await DuckDBInstance.create()).connect();
  const rows = (await connection.runAndReadAll(`SELECT ${sql}`)).getRowsJson();
  return rows.map((row) => row.map((value) => (Array.isArray(value) ? value.join(' ') : String(value))).join(' ')).join(' ');
};

(async () => {
  const seen = {
    'ClickHouse, day + INTERVAL n MONTH': await clickhouse("toDate('2026-01-31') + INTERVAL number MONTH FROM numbers(4)"),
    'ClickHouse, WITH FILL': await clickhouse("day FROM (SELECT toDate('2026-01-31') AS day) ORDER BY day WITH FILL TO toDate('2026-05-01') STEP INTERVAL 1 MONTH"),
    'DuckDB, day + INTERVAL n MONTH': await duckdb("(DATE '2026-01-31' + INTERVAL (n) MONTH)::DATE FROM range(4) t(n)"),
    'DuckDB, generate_series': await duckdb("day::DATE FROM generate_series(DATE '2026-01-31', DATE '2026-04-30', INTERVAL 1 MONTH) t(day)"),
  };
  const right = '2026-01-31 2026-02-28 2026-03-31 2026-04-30';
  const drifted = '2026-01-31 2026-02-28 2026-03-28 2026-04-28';
  const expected = [right, drifted, right, drifted];
  console.log(seen);
  if (Object.values(seen).join() !== expected.join()) throw new Error('the behaviour has changed');
})();
JS
node months.cjs
