#!/usr/bin/env bash
# Orders by bands of their amount, `amount // 5`, in DuckDB (npm: @duckdb/node-api 1.5.6-r.1), beside ClickHouse's intDiv (chdb 3.4.0, the engine 26.7.2).
# Expected: `//` is the division without a rest, of whole numbers and of others, as in Python: 19.99 // 5 is 3, so amounts
# from 0.00 to 19.99 are four bands.
# Seen: it cuts only between whole numbers. A Decimal or a float on either side makes it the plain division, with a float as its result:
# 19.99 // 5 is 3.9979999999999998, and the 2,000 amounts are 2,000 bands of one amount each. The function fdiv gives 3,
# and so do floor(19.99 / 5) and intDiv of ClickHouse.
# Why it matters: the same line works on whole amounts, as of a shop in yen, or of test data, and falls apart on cents: a chart of orders by size has as many
# bars as there are prices, and no error tells. The API's introduction says what to write.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >bands.cjs <<'JS'
const { queryAsync } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  const duckdb = async (sql) => (await connection.runAndReadAll(`SELECT ${sql}`)).getRowsJson()[0].join(' ');
  const clickhouse = async (sql) => (await queryAsync(`SELECT ${sql}`, { format: 'TSVRaw' })).text().trim().replaceAll('\t', ' ');
  const amounts = 'FROM (SELECT (range / 100)::DECIMAL(18, 2) AS amount FROM range(2000))';
  let changed = false;
  for (const [what, answer, before] of [
    ['DuckDB, 19 // 5', await duckdb('19 // 5'), '3'],
    ['DuckDB, 19.99 // 5', await duckdb('19.99::DECIMAL(18, 2) // 5, typeof(19.99::DECIMAL(18, 2) // 5)'), '3.9979999999999998 DOUBLE'],
    ['DuckDB, 19 // 5.0', await duckdb('19 // 5.0'), '3.8'],
    ['DuckDB, fdiv and floor', await duckdb('fdiv(19.99::DECIMAL(18, 2), 5), floor(19.99::DECIMAL(18, 2) / 5)'), '3 3'],
    ['DuckDB, bands of 2,000 amounts by // and by floor', await duckdb(`count(DISTINCT amount // 5), count(DISTINCT floor(amount / 5)) ${amounts}`), '2000 4'],
    ['ClickHouse, intDiv', await clickhouse("intDiv(toDecimal64('19.99', 2), 5)"), '3'],
  ]) {
    console.log(`${what}: ${answer}`);
    changed ||= answer !== before;
  }
  if (changed) throw new Error('the behaviour has changed');
})();
JS
node bands.cjs
