#!/usr/bin/env bash
# The median of amounts, as in "median order value", in ClickHouse (npm: chdb 3.4.0, the engine 26.7.2) and DuckDB (@duckdb/node-api 1.5.6-r.1).
# Expected: half of the sum of the two in the middle, so 25 for 10, 20, 30, 40 and 0.015 for 0.01 and 0.02; the same for the same rows. What
# has "exact" in its name is that number.
# Seen: median() of ClickHouse is right for few rows, cuts to the scale of the column (0.01), and is a guess from a sample of 8,192 rows beyond:
# 20,000 amounts in one order and in the other have medians that differ by 1 %, without a word. Its medianExact is the higher of the two in
# the middle (30), and the kind that interpolates (quantileExactInclusive) refuses Decimals. DuckDB is exact, but cuts to the scale as well (0.01).
# Why it matters: a dashboard shows another median where the same rows are read in another order, and "exact" is off by half a step. Right for Decimals in ClickHouse is
# the mean of quantileExactLow(0.5) and quantileExactHigh(0.5), in a wider scale.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >median.cjs <<'JS'
const { queryAsync } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
const clickhouse = async (sql) => (await queryAsync(`SELECT ${sql}`, { format: 'TSVRaw' })).text().trim().replaceAll('\n', ' ').replaceAll('\t', ' ');
const duckdb = async (sql) => {
  const connection = await (await DuckDBInstance.create()).connect();
  const rows = (await connection.runAndReadAll(`SELECT ${sql}`)).getRowsJson();
  return rows.map((row) => row.map((value) => (Array.isArray(value) ? value.join(' ') : String(value))).join(' ')).join(' ');
};

const few = "FROM (SELECT toDecimal64(arrayJoin([10, 20, 30, 40]), 2) AS amount)";
const cents = "FROM (SELECT toDecimal64(arrayJoin(['0.01', '0.02']), 2) AS amount)";
const many = (number) => `FROM (SELECT toDecimal64(${number}, 2) AS amount FROM numbers(20000)) SETTINGS max_threads = 1`;
(async () => {
  const [one, other] = [await clickhouse(`median(amount) ${many('number')}`), await clickhouse(`median(amount) ${many('19999 - number')}`)];
  const seen = {
    'ClickHouse, median of 10 to 40': await clickhouse(`median(amount) ${few}`),
    'ClickHouse, medianExact of 10 to 40': await clickhouse(`medianExact(amount) ${few}`),
    'ClickHouse, the lower and the higher': await clickhouse(`quantileExactLow(0.5)(amount), quantileExactHigh(0.5)(amount) ${few}`),
    'ClickHouse, median of 0.01 and 0.02': await clickhouse(`median(amount) ${cents}`),
    'ClickHouse, 0 to 19,999 in both orders, are they one and right': `${one === other} ${one === '9999.5'}`,
    'ClickHouse, quantileExactInclusive': await clickhouse(`quantileExactInclusive(0.5)(amount) ${few}`).catch((error) => /ILLEGAL_TYPE/.exec(error.message)?.[0]),
    'DuckDB, median of 10 to 40': await duckdb('median(amount) FROM (VALUES (10::DECIMAL(18, 2)), (20), (30), (40)) t(amount)'),
    'DuckDB, median of 0.01 and 0.02': await duckdb('median(amount) FROM (VALUES (0.01::DECIMAL(18, 2)), (0.02)) t(amount)'),
  };
  console.log({ one, other });
  const expected = ['25', '30', '20 30', '0.01', 'false false', 'ILLEGAL_TYPE', '25.00', '0.01'];
  console.log(seen);
  if (Object.values(seen).join() !== expected.join()) throw new Error('the behaviour has changed');
})();
JS
node median.cjs
