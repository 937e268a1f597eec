#!/usr/bin/env bash
# A price of two decimals cast to a Decimal of two decimals, in ClickHouse (npm: chdb 3.4.0, the engine 26.7.2) and DuckDB (@duckdb/node-api 1.5.6-r.1).
# Expected: 19.99 is 19.99, since nothing has to be cut or rounded, and `x::T` is another way to write CAST(x AS T).
# Seen: in ClickHouse 19.99::Decimal(18, 2) is 19.99, and CAST(19.99 AS Decimal(18, 2)), toDecimal64(19.99, 2) and accurateCast are 19.98: there the
# number is a float first, of which digits are cut; only the short form keeps the text. Of the 100,000 amounts below 1,000, 4,586 lose a cent so,
# and as many as costs in micros that are divided (19990000 / 1000000). DuckDB has 19.99 in each way.
# Why it matters: a filter `price >= …` takes other orders in than it says, a fee of 0.29 is 0.28, and ad spend from micros is a cent too low in one of
# some twenty rows, never too high. /bi says to give amounts as texts, and a test runs both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >cast.cjs <<'JS'
const { queryAsync } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
const clickhouse = async (sql) => (await queryAsync(`SELECT ${sql}`, { format: 'TSVRaw' })).text().trim().replaceAll('\t', ' ');
const duckdb = async (sql) => {
  const connection = await (await DuckDBInstance.create()).connect();
  return (await connection.runAndReadAll(`SELECT ${sql}`)).getRowsJson()[0].join(' ');
};
const lost = (amount) => `countIf(toDecimal64(${amount}, 2) != toDecimal64(number, 2) / 100) FROM numbers(100000)`;
(async () => {
  const seen = [];
  for (const [what, answer] of [
    ['ClickHouse, 19.99::Decimal(18, 2)', await clickhouse('19.99::Decimal(18, 2)')],
    ['ClickHouse, CAST(19.99 AS …), toDecimal64, accurateCast, and 0.29', await clickhouse("CAST(19.99 AS Decimal(18, 2)), toDecimal64(19.99, 2), accurateCast(19.99, 'Decimal(18, 2)'), toDecimal64(0.29, 2)")],
    ['ClickHouse, from a text', await clickhouse("CAST('19.99' AS Decimal(18, 2)), toDecimal64('19.99', 2)")],
    ['ClickHouse, from micros', await clickhouse('toDecimal64(19990000 / 1000000, 2), toDecimal64(19990000, 6) / 1000000')],
    ['ClickHouse, other amounts than their cents', await clickhouse(lost('number / 100'))],
    ['ClickHouse, other amounts than their micros', await clickhouse(lost('number * 10000 / 1000000'))],
    ['DuckDB, ::, CAST, of a float, from micros', await duckdb('19.99::DECIMAL(18, 2), CAST(19.99 AS DECIMAL(18, 2)), 19.99::DOUBLE::DECIMAL(18, 2), (19990000 / 1000000)::DECIMAL(18, 2)')],
  ]) {
    console.log(`${what}: ${answer}`);
    seen.push(answer);
  }
  const before = '19.99|19.98 19.98 19.98 0.28|19.99 19.99|19.98 19.99|4586|4586|19.99 19.99 19.99 19.99';
  if (seen.join('|') !== before) throw new Error('the behaviour has changed');
})();
JS
node cast.cjs
