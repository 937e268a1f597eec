#!/usr/bin/env bash
# Decimals of a Parquet file in JavaScript (npm: hyparquet 1.31.5; the file is written by @duckdb/node-api 1.5.6-r.1).
# Expected: a Decimal comes as text, as a bigint with its scale, or at least as the number nearest to it (0.1 for 0.1).
# Seen: it comes as a number, multiplied by a power of ten: 0.1 of a Decimal(38, 12) is 0.09999999999999999, 12345678901234567890.123456 loses
# its last nine digits, and there is no option for an exact one.
# Why it matters: even amounts that a double holds to the cent differ in the last place, so a comparison or a sum of money read this way is
# wrong. Parquet is exact, its reader need not be: take text (CSV, JSON) where a figure must be exact in JavaScript.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent hyparquet@1.31.5 @duckdb/node-api@1.5.6-r.1
cat >compare.cjs <<'JS'
const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const amounts = "0.1::DECIMAL(38, 12) AS tenth, '12345678901234567890.123456'::DECIMAL(38, 6) AS large";
  await connection.run(`COPY (SELECT ${amounts}) TO 'amounts.parquet' (FORMAT parquet)`);
  const { asyncBufferFromFile, parquetReadObjects } = await import('hyparquet');
  const [row] = await parquetReadObjects({ file: await asyncBufferFromFile('amounts.parquet') });
  const [written] = (await connection.runAndReadAll("SELECT * FROM 'amounts.parquet'")).getRowsJson();
  console.log('in the file:', written, 'as hyparquet reads it:', row);
  if (row.tenth !== 0.09999999999999999 || row.large !== 12345678901234567000) throw new Error('the behaviour has changed');
})();
JS
node compare.cjs
