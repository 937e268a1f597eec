#!/usr/bin/env bash
# The types that DuckDB (npm: @duckdb/node-api 1.5.6-r.1) guesses for the columns of a CSV export of orders.
# Expected: amounts that all have two decimals become DECIMAL, as the literal 0.10 does in DuckDB's own SQL; ids stay text.
# Seen: amounts become DOUBLE (12345678901234567.89 is 12345678901234568), and ids such as 1e5 and 2e5 become DOUBLE too, 100000 and 200000.
# Only the leading zeros of a SKU are seen as text.
# Why it matters: a file that is exact is read inexactly, and an id no longer finds its order. Name the types (`columns = {...}`, `types`) for
# money and ids, or `all_varchar`; a Parquet answer carries them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent @duckdb/node-api@1.5.6-r.1
cat >compare.cjs <<'JS'
const { writeFileSync } = require('node:fs');
const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
  writeFileSync('orders.csv', 'order_id,sku,amount\n1e5,00123,12345678901234567.89\n2e5,00456,0.10\n');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const read = async (sql) => JSON.stringify((await connection.runAndReadAll(sql)).getRowsJson());
  const literal = await read('SELECT typeof(0.10)');
  const types = await read("SELECT typeof(order_id), typeof(sku), typeof(amount) FROM 'orders.csv' LIMIT 1");
  const rows = await read("SELECT * FROM 'orders.csv'");
  console.log(literal, types, rows);
  const seen = [
    '[["DECIMAL(3,2)"]]',
    '[["DOUBLE","VARCHAR","DOUBLE"]]',
    '[[100000,"00123",12345678901234568],[200000,"00456",0.1]]',
  ];
  if ([literal, types, rows].join() !== seen.join()) throw new Error('the behaviour has changed: ' + [literal, types, rows]);
})();
JS
node compare.cjs
