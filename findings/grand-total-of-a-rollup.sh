#!/usr/bin/env bash
# The row of the grand total that GROUP BY ROLLUP adds, in ClickHouse (npm: chdb 3.4.0, the engine 26.7.2) and DuckDB (@duckdb/node-api 1.5.6-r.1).
# Expected: its key is NULL, as standard SQL has it.
# Seen: in ClickHouse it is the type's default: '' for a text, so that the total stands beside the row of orders without a campaign and looks like
# it, and 1970-01-01 for a day. NULL comes with the setting group_by_use_nulls = 1; grouping(key) tells the rows apart in any case.
# Why it matters: who reads "the row of campaign ''" may read the total of all campaigns, and a chart by day has one bar of everything in 1970.
# Users that the service makes for BI have the setting, like the one that gives NULL to what a join does not find.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >rollup.cjs <<'JS'
const { queryAsync } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
const clickhouse = async (sql) => (await queryAsync(`SELECT ${sql}`, { format: 'TSVRaw' })).text().trim().replaceAll('\n', ' ').replaceAll('\t', ' ');
const duckdb = async (sql) => {
  const connection = await (await DuckDBInstance.create()).connect();
  const rows = (await connection.runAndReadAll(`SELECT ${sql}`)).getRowsJson();
  return rows.map((row) => row.map((value) => (Array.isArray(value) ? value.join(' ') : String(value))).join(' ')).join(' ');
};

(async () => {
  const orders = "FROM (SELECT arrayJoin(['', 'spring']) AS campaign, 1 AS orders) GROUP BY ROLLUP(campaign) ORDER BY campaign, 2";
  const days = "FROM (SELECT toDate('2026-03-01') AS day, 1 AS orders) GROUP BY ROLLUP(day) ORDER BY day";
  const seen = {
    'ClickHouse, by campaign': await clickhouse(`concat('<', campaign, '>'), sum(orders), grouping(campaign) ${orders}`),
    'ClickHouse, by day': await clickhouse(`day, sum(orders) ${days}`),
    'ClickHouse, group_by_use_nulls': await clickhouse(`day, sum(orders) ${days} SETTINGS group_by_use_nulls = 1`),
    'DuckDB, by day': await duckdb("day, sum(orders) FROM (VALUES ('2026-03-01', 1)) t(day, orders) GROUP BY ROLLUP(day) ORDER BY day"),
  };
  const expected = ['<> 1 0 <> 2 1 <spring> 1 0', '1970-01-01 1 2026-03-01 1', '2026-03-01 1 \\N 1', '2026-03-01 1 null 1'];
  console.log(seen);
  if (Object.values(seen).join() !== expected.join()) throw new Error('the behaviour has changed');
})();
JS
node rollup.cjs
