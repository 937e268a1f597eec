#!/usr/bin/env bash
# Weeks, as a cohort by week counts them, in ClickHouse (npm: chdb 3.4.0, the engine 26.7.2) and DuckDB (@duckdb/node-api 1.5.6-r.1).
# Expected: date_diff('week', …) counts the beginnings of weeks between two days, as date_diff of months, quarters and years counts theirs in both;
# one engine has one first day of the week.
# Seen: from Sunday 2026-03-01 to Monday 2026-03-02 ClickHouse counts 1 and DuckDB 0, whose own date_trunc('week', …) puts the two into two weeks: it
# counts whole sevens of days there, while from 2026-01-31 to 2026-02-01 it counts one month. ClickHouse's toStartOfWeek begins weeks on Sunday,
# and its dateTrunc('week', …), toStartOfInterval and dateDiff on Monday.
# Why it matters: the week 0 of a cohort has seven days in one tool and one to seven in the other, and rows that are grouped by
# toStartOfWeek do not fit those of dateTrunc. Weeks of the API begin on Monday; toMonday(day) says so in SQL.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >weeks.cjs <<'JS'
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
    'ClickHouse, weeks from Sunday to Monday': await clickhouse("dateDiff('week', toDate('2026-03-01'), toDate('2026-03-02'))"),
    'ClickHouse, months from 31 January to 1 February': await clickhouse("dateDiff('month', toDate('2026-01-31'), toDate('2026-02-01'))"),
    'ClickHouse, the week of that Sunday by toStartOfWeek': await clickhouse("toStartOfWeek(toDate('2026-03-01'))"),
    'ClickHouse, by dateTrunc and toMonday': await clickhouse("dateTrunc('week', toDate('2026-03-01')), toMonday(toDate('2026-03-01'))"),
    'DuckDB, weeks from Sunday to Monday': await duckdb("date_diff('week', DATE '2026-03-01', DATE '2026-03-02')"),
    'DuckDB, are they one week by date_trunc': await duckdb("date_trunc('week', DATE '2026-03-01') = date_trunc('week', DATE '2026-03-02')"),
    'DuckDB, months from 31 January to 1 February': await duckdb("date_diff('month', DATE '2026-01-31', DATE '2026-02-01')"),
  };
  const expected = ['1', '1', '2026-03-01', '2026-02-23 2026-02-23', '0', 'false', '1'];
  console.log(seen);
  if (Object.values(seen).join() !== expected.join()) throw new Error('the behaviour has changed');
})();
JS
node weeks.cjs
