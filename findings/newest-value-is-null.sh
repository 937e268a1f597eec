#!/usr/bin/env bash
# The newest value of a row's versions where the newest one is NULL, such as a cost that was taken back, in ClickHouse (npm: chdb 3.4.0, the
# engine 26.7.2) and DuckDB (@duckdb/node-api 1.5.6-r.1).
# Expected: NULL, as ORDER BY version DESC LIMIT 1 gives it; by the SQL standard last_value() respects NULLs unless IGNORE NULLS is said.
# Seen: argMax(cost, version) is 3.5, the older value, in ClickHouse, and so is arg_max in DuckDB: rows whose value is NULL are left out first. In
# ClickHouse last_value() and first_value() leave them out too, also over a window; in DuckDB those two give NULL. Right are argMax(tuple(cost),
# version).1 and RESPECT NULLS (which argMax refuses) in ClickHouse, and arg_max_null in DuckDB.
# Why it matters: a cost, fee or rate that was taken back goes on counting for whoever reads the newest version this way, and by the usual idiom of
# tables that keep versions; no error tells. The service reads newest versions as tuples.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >newest.cjs <<'JS'
const { queryAsync } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
const FROM = 'FROM (SELECT 3.5 AS cost, 1 AS version UNION ALL SELECT NULL, 2) AS t';
const WHOLE = 'OVER (ORDER BY version ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS newest';
const clickhouse = async (term, rest = '') => {
  const answer = await queryAsync(`SELECT ${term} ${FROM} ${rest}`, { format: 'TSVRaw' });
  return answer.text().trim().split('\n')[0].replace('\\N', 'NULL');
};
(async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  const duckdb = async (term, rest = '') => {
    const [[value]] = (await connection.runAndReadAll(`SELECT ${term} ${FROM} ${rest}`)).getRowsJson();
    return value === null ? 'NULL' : String(value);
  };
  const seen = {
    'ClickHouse, ORDER BY': await clickhouse('cost', 'ORDER BY version DESC LIMIT 1'),
    'ClickHouse, argMax': await clickhouse('argMax(cost, version)'),
    'ClickHouse, argMax of a tuple': await clickhouse('argMax(tuple(cost), version).1'),
    'ClickHouse, last_value': await clickhouse(`last_value(cost) ${WHOLE}`),
    'ClickHouse, last_value RESPECT NULLS': await clickhouse(`last_value(cost) RESPECT NULLS ${WHOLE}`),
    'DuckDB, ORDER BY': await duckdb('cost', 'ORDER BY version DESC LIMIT 1'),
    'DuckDB, arg_max': await duckdb('arg_max(cost, version)'),
    'DuckDB, arg_max_null': await duckdb('arg_max_null(cost, version)'),
    'DuckDB, last_value': await duckdb(`last_value(cost) ${WHOLE}`),
  };
  console.log(seen);
  const expected = ['NULL', '3.5', 'NULL', '3.5', 'NULL', 'NULL', '3.5', 'NULL', 'NULL'];
  if (Object.values(seen).join() !== expected.join()) throw new Error('the behaviour has changed');
})();
JS
node newest.cjs
