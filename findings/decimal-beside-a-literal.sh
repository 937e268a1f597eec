#!/usr/bin/env bash
# A literal beside a Decimal, as analysts write it (`amount * 0.19`), in ClickHouse (npm: chdb 3.4.0, the engine 26.7.2) and DuckDB
# (@duckdb/node-api 1.5.6-r.1).
# Expected: 0.19 is a Decimal where it stands beside one, as standard SQL has it, or nowhere; the result is exact or plainly a float.
# Seen: DuckDB keeps + and * exact (DECIMAL) and divides as DOUBLE. ClickHouse is the other way round: + and * with such a literal are Float64
# (0.1 + 0.2 is 0.30000000000000004), and a division is a Decimal that is cut to the scale of the left side (0.01 / 3 is 0, 10.00 / 3 is 3.33).
# coalesce(amount, 0.1) is neither, but a Variant of both types, whose values sum() refuses. avg() is a float in both.
# Why it matters: the same line of SQL gives exact money in one and floats in the other, and a margin by division is rounded to cents, or to zero,
# before anyone multiplies by 100. Views should hand out what has to be exact; in queries, toDecimal128('0.19', 12) and a float division are said.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >literal.cjs <<'JS'
const { queryAsync } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
const amount = (text) => `CAST(${text} AS Nullable(Decimal(18, 2)))`;
const TERMS = [
  [`${amount("'0.10'")} + 0.2`, '0.30000000000000004 Float64', '0.30 DECIMAL'],
  [`${amount("'0.10'")} * 0.1`, '0.010000000000000002 Float64', '0.010 DECIMAL'],
  [`${amount("'10.00'")} / 3`, '3.33 Decimal', '3.3333333333333335 DOUBLE'],
  [`${amount("'0.01'")} / 3`, '0 Decimal', '0.0033333333333333335 DOUBLE'],
  [`coalesce(${amount('NULL')}, 0.1)`, '0.1 Variant', '0.10 DECIMAL'],
  [`avg(${amount("'0.10'")})`, '0.1 Float64', '0.1 DOUBLE'],
];
(async () => {
  const duck = await (await DuckDBInstance.create()).connect();
  let same = true;
  for (const [term, ...expected] of TERMS) {
    const [text, type] = JSON.parse((await queryAsync(`SELECT toString(${term}), toTypeName(${term})`, { format: 'JSONCompactEachRow' })).text());
    const plain = term.replace(/Nullable\((.*?\))\)/g, '$1');
    const [other] = (await duck.runAndReadAll(`SELECT (${plain})::VARCHAR, typeof(${plain})`)).getRowsJson();
    const seen = [`${text} ${type.replace(/^Nullable\(/, '').match(/^\w+/)[0]}`, `${other[0]} ${other[1].match(/^\w+/)[0]}`];
    console.log(`${plain}: ClickHouse ${seen[0]}, DuckDB ${seen[1]}`);
    same &&= seen.join() === expected.join();
  }
  const refused = await queryAsync('SELECT sum(coalesce(CAST(NULL AS Nullable(Decimal(18, 2))), 0.1))').then(() => false, (error) => /Illegal type Variant/.test(error.message) || error.message);
  console.log('sum of the Variant is refused:', refused);
  if (!same || refused !== true) throw new Error('the behaviour has changed');
})();
JS
node literal.cjs
