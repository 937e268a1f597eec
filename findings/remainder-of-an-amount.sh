#!/usr/bin/env bash
# The remainder of an amount (the 99 of 19.99, what is left of 10.00 in packs of 2) in ClickHouse (npm: chdb 3.4.0, the engine 26.7.2) and
# DuckDB (@duckdb/node-api 1.5.6-r.1).
# Expected: 19.99 % 1 is 0.99 and 5.75 % 2 is 1.75, as in DuckDB and as ClickHouse has it for floats; or the types are refused.
# Seen: ClickHouse gives 0 and 0.01 for Decimals: the digits without their point are divided by the whole number (575 % 2 is 1, and the point is
# put back: 0.01). A Decimal of another scale does no better; one of the same scale is right, and so is x - floor(x).
# Why it matters: prices that end in .99 are not found, and an amount looks as if it had been divided without a rest. No error, and the
# result is a Decimal of the right scale. In SQL of one's own: amount - floor(amount).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >remainder.cjs <<'JS'
const { queryAsync } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
const clickhouse = async (sql) => (await queryAsync(`SELECT ${sql}`, { format: 'TSVRaw' })).text().trim().replaceAll('\n', ' ').replaceAll('\t', ' ');
const duckdb = async (sql) => {
  const connection = await (await DuckDBInstance.create()).connect();
  const rows = (await connection.runAndReadAll(`SELECT ${sql}`)).getRowsJson();
  return rows.map((row) => row.map((value) => (Array.isArray(value) ? value.join(' ') : String(value))).join(' ')).join(' ');
};

(async () => {
  const of = (amount, scale = 2) => `toDecimal64('${amount}', ${scale})`;
  const seen = {
    'ClickHouse, 19.99 % 1': await clickhouse(`${of('19.99')} % 1`),
    'ClickHouse, 5.75 % 2': await clickhouse(`${of('5.75')} % 2`),
    'ClickHouse, the same of floats': await clickhouse('toFloat64(5.75) % 2'),
    'ClickHouse, by a Decimal of scale 0': await clickhouse(`${of('5.75')} % ${of('2', 0)}`),
    'ClickHouse, by a Decimal of the same scale': await clickhouse(`${of('5.75')} % ${of('2')}`),
    'ClickHouse, x - floor(x)': await clickhouse(`${of('19.99')} - floor(${of('19.99')})`),
    'DuckDB, 19.99 % 1': await duckdb('19.99::DECIMAL(18, 2) % 1'),
    'DuckDB, 5.75 % 2': await duckdb('5.75::DECIMAL(18, 2) % 2'),
  };
  const expected = ['0', '0.01', '1.75', '0.01', '1.75', '0.99', '0.99', '1.75'];
  console.log(seen);
  if (Object.values(seen).join() !== expected.join()) throw new Error('the behaviour has changed');
})();
JS
node remainder.cjs
