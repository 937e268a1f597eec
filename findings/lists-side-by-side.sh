#!/usr/bin/env bash
# The lines of an order gathered into lists, one of SKUs and one of unit costs, where one cost is unknown (NULL), in ClickHouse (npm: chdb 3.4.0,
# the engine 26.7.2) and DuckDB (@duckdb/node-api 1.5.6-r.1).
# Expected: lists of one length, so that the n-th cost belongs to the n-th SKU, as in DuckDB and PostgreSQL (array_agg).
# Seen: groupArray of ClickHouse leaves NULL out: three SKUs, two costs, and the second SKU has the cost of the third. arrayZip refuses
# lists of two lengths, costs[2] does not. groupArray((sku, cost)) keeps them together.
# Why it matters: an unknown cost makes the costs of all lines after it those of others, in each order that has one. What belongs together has to
# be gathered as a tuple.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >lists.cjs <<'JS'
const { queryAsync } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
const clickhouse = async (sql) => (await queryAsync(`SELECT ${sql}`, { format: 'TSVRaw' })).text().trim().replaceAll('\n', ' ').replaceAll('\t', ' ');
const duckdb = async (sql) => {
  const connection = await (await DuckDBInstance.create()).connect();
  const rows = (await connection.runAndReadAll(`SELECT ${sql}`)).getRowsJson();
  return rows.map((row) => row.map((value) => (Array.isArray(value) ? value.join(' ') : String(value))).join(' ')).join(' ');
};

(async () => {
  const lines = "FROM (SELECT arrayJoin([('A', CAST(3.5, 'Nullable(Decimal(9, 2))')), ('B', NULL), ('C', 4)]) AS line, line.1 AS sku, line.2 AS cost)";
  const rows = "FROM (VALUES ('A', 3.5), ('B', NULL), ('C', 4)) lines(sku, cost)";
  const seen = {
    'ClickHouse, two lists': await clickhouse(`groupArray(sku), groupArray(cost) ${lines}`),
    'ClickHouse, the cost beside B': await clickhouse(`groupArray(cost)[indexOf(groupArray(sku), 'B')] ${lines}`),
    'ClickHouse, one list of tuples': await clickhouse(`groupArray((sku, cost)) ${lines}`),
    'DuckDB, the cost beside B': await duckdb(`list(cost)[list_position(list(sku), 'B')] ${rows}`),
  };
  const expected = ["['A','B','C'] [3.5,4]", '4', "[('A',3.5),('B',NULL),('C',4)]", 'null'];
  console.log(seen);
  if (Object.values(seen).join() !== expected.join()) throw new Error('the behaviour has changed');
})();
JS
node lists.cjs
