#!/usr/bin/env bash
# The row before the first in window functions of ClickHouse (npm: chdb 3.4.0, the engine 26.7.2) and DuckDB (@duckdb/node-api 1.5.6-r.1).
# Expected: lag() gives NULL where there is no row before, lead() where there is none after, and a sum over a frame without rows is NULL, as in
# standard SQL; leadInFrame() gives the row after.
# Seen: in ClickHouse all three are 0, so the change against the day before is the whole amount on the first day. leadInFrame() is 0 on every row,
# since the frame that stands by default ends at the row itself. A NULL can't be given as the third argument (an error); lag(toNullable(amount))
# gives it.
# Why it matters: the first day of a chart of changes shows a jump that was none, the larger the better the day. /bi advises what to write, and a
# test runs both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >window.cjs <<'JS'
const { queryAsync } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
const clickhouse = async (term) => {
  const rows = "(SELECT toDate('2026-03-01') + n AS day, toDecimal64(10 + n, 2) AS amount FROM (SELECT number AS n FROM numbers(3)))";
  const answer = await queryAsync(`SELECT ${term} FROM ${rows} ORDER BY day`, { format: 'TSVRaw' });
  return answer.text().trim().split('\n').join(' ');
};
const duckdb = async (term) => {
  const connection = await (await DuckDBInstance.create()).connect();
  const rows = "(VALUES (DATE '2026-03-01', 10.00), (DATE '2026-03-02', 11.00), (DATE '2026-03-03', 12.00)) t(day, amount)";
  return (await connection.runAndReadAll(`SELECT ${term} FROM ${rows} ORDER BY day`)).getRowsJson().map(([value]) => String(value)).join(' ');
};

(async () => {
  const change = 'amount - lag(amount) OVER (ORDER BY day)';
  const before = 'sum(amount) OVER (ORDER BY day ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING)';
  const seen = {
    'ClickHouse, change': await clickhouse(change),
    'DuckDB, change': await duckdb(change),
    'ClickHouse, lead': await clickhouse('lead(amount) OVER (ORDER BY day)'),
    'ClickHouse, leadInFrame': await clickhouse('leadInFrame(amount) OVER (ORDER BY day)'),
    'ClickHouse, sum of two days before': await clickhouse(before),
    'DuckDB, sum of two days before': await duckdb(before),
    'ClickHouse, default NULL': await clickhouse('lag(amount, 1, NULL) OVER (ORDER BY day)').catch(() => 'an error'),
    'ClickHouse, toNullable': await clickhouse('amount - lag(toNullable(amount)) OVER (ORDER BY day)'),
  };
  console.log(seen);
  const expected = ['10 1 1', 'null 1.00 1.00', '11 12 0', '0 0 0', '0 10 21', 'null 10.00 21.00', 'an error', '\\N 1 1'];
  if (Object.values(seen).join() !== expected.join()) throw new Error('the behaviour has changed');
})();
JS
node window.cjs
