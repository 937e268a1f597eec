#!/usr/bin/env bash
# Amounts of a Decimal column as JavaScript's two kinds of number, written by hyparquet-writer 0.17.0 (npm), read by DuckDB (@duckdb/node-api 1.5.6-r.1).
# Expected: 5 and 5n are the same amount, 5.00, as in SQL and in every library of decimals; or one of the two kinds is refused.
# Seen: a number is an amount and a bigint is the digits without their point: in a column DECIMAL(18, 2), 5 is 5.00 and 5n is 0.05, side by side and
# without an error. The bounds in the footer follow, so filters find what is written. A number with more decimals than the column is
# rounded from its binary value: 8.165 is 8.16.
# Why it matters: amounts that a database hands out as bigint (whole units, counts, sums in minor units of a currency without any) come out a
# hundredth. Exact money goes in as bigint alone, scaled to the column before.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent hyparquet-writer@0.17.0 hyparquet@1.31.5 @duckdb/node-api@1.5.6-r.1
cat >write.mjs <<'JS'
import { writeFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetWriteBuffer } from 'hyparquet-writer';
const schema = [
  { name: 'root', num_children: 1 },
  { name: 'amount', type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 2, repetition_type: 'REQUIRED' },
];
writeFileSync('amounts.parquet', Buffer.from(parquetWriteBuffer({ schema, columnData: [{ name: 'amount', data: [5, 5n, -3, -3n, 8.165] }] })));
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const read = async (sql) => (await connection.runAndReadAll(sql)).getRowsJson()[0].join();
const amounts = await read("SELECT list(amount::VARCHAR)::VARCHAR FROM 'amounts.parquet'");
const below = await read("SELECT count(*) FROM 'amounts.parquet' WHERE amount < 0");
console.log('5, 5n, -3, -3n and 8.165 are', amounts, '; below zero:', below);
if (amounts !== '[5.00, 0.05, -3.00, -0.03, 8.16]' || below !== '2') throw new Error('the behaviour has changed');
JS
node write.mjs
