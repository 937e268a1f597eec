#!/usr/bin/env bash
# Decimals that outgrow 38 digits in ClickHouse (npm: chdb 3.4.0, the engine 26.7.2) and DuckDB (@duckdb/node-api 1.5.6-r.1).
# Expected: an error, as DuckDB gives and as ClickHouse gives for a Decimal of 18 digits ("Decimal math overflow"), or a wider type.
# Seen: with 38 digits ClickHouse's +, * and sum wrap: a sum of three large positive amounts is negative, a product is some number, and no error or
# warning says so. sum() of a Decimal(38, x) stays a Decimal(38, x); toDecimal256 of one side widens the result.
# Why it matters: 38 digits are many, but 12 of them stand after the point and the product of two such amounts has 24 there, so that 14 are left:
# a large amount in rupiah at a rate is enough. What is multiplied has to be Decimal256 before.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >wrap.cjs <<'JS'
const { queryAsync } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
const cast = (text, type) => `CAST('${text}' AS Decimal(${type}))`;
const LARGE = cast('99999999999999999999999999', '38, 12');
const TERMS = {
  'sum of three large amounts': `sum(${LARGE}) FROM %s`,
  'a product': `${cast('12345678901.23', '38, 12')} * ${cast('16250.5', '38, 12')}`,
  'a product of 18 digits': `${cast('9999999999999999', '18, 2')} * ${cast('99', '18, 2')}`,
};
(async () => {
  const duck = await (await DuckDBInstance.create()).connect();
  const engineOf = async (sql) => JSON.parse((await queryAsync(`SELECT toString(${sql.replace(' FROM', ') FROM')}${sql.includes(' FROM') ? '' : ')'}`, { format: 'JSONCompactEachRow' })).text())[0];
  const duckOf = async (sql) => String((await duck.runAndReadAll(`SELECT ${sql}`)).getRowsJson()[0]);
  const seen = [];
  for (const [name, sql] of Object.entries(TERMS)) {
    const engine = await engineOf(sql.replace('%s', 'numbers(3)')).catch((error) => (/overflow/i.test(error.message) ? 'overflow' : error.message));
    const other = await duckOf(sql.replace('%s', 'range(3)')).catch((error) => (/overflow/i.test(error.message) ? 'overflow' : error.message));
    console.log(`${name}: ClickHouse ${engine}, DuckDB ${other}`);
    seen.push(engine, other);
  }
  const wide = await engineOf(`toDecimal256('12345678901.23', 12) * ${cast('16250.5', '38, 12')}`);
  console.log(`the product, one side of it a Decimal256: ${wide}`);
  const expected = ['-40282366920938463463374610.431768211456', 'overflow', '-139658911936500.348463374607431768211456', 'overflow', 'overflow', 'overflow'];
  if (seen.join() !== expected.join() || wide !== '200623454984438.115') throw new Error('the behaviour has changed');
})();
JS
node wrap.cjs
