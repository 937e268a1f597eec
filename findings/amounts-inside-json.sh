#!/usr/bin/env bash
# An amount that is a number in a JSON text, taken out as a Decimal, in ClickHouse (npm: chdb 3.4.0, the engine 26.7.2) and DuckDB
# (@duckdb/node-api 1.5.6-r.1).
# Expected: the digits of the text, since the Decimal is asked for: from a typed path (JSON(amount Decimal(38, 2))), from JSONExtract(..., 'Decimal(38, 2)'),
# from DuckDB's from_json with a DECIMAL, and for certain from JSONExtractRaw, which is said to give the unparsed text.
# Seen: all of them give 90071992547409.94 for 90071992547409.93: the number is a double before it is a Decimal, and the "raw" text is that double
# written again (12.30 is 12.3). Exact are simpleJSONExtractRaw, lines read as JSONEachRow into columns and tuples of Decimal, and amounts as JSON texts.
# Why it matters: whoever keeps a platform's payload as JSON and casts later has other digits than who reads the same file into columns, and 12.30
# has lost its decimals for checks of a currency's digits. Amounts travel as texts here.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
cat >inside.cjs <<'JS'
const { queryAsync } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
const TEXT = '{"amount":90071992547409.93}';
const ask = async (sql) => (await queryAsync(sql, { format: 'TSVRaw' })).text().trim();
const term = (sql) => ask(`SELECT toString(${sql})`);
(async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  const [[typed]] = (
    await connection.runAndReadAll(`SELECT from_json('${TEXT}', '{"amount":"DECIMAL(38, 2)"}').amount::TEXT`)
  ).getRowsJson();
  const changed = {
    'JSON with a typed path': await term(`CAST('${TEXT}' AS JSON(amount Decimal(38, 2))).amount`),
    'JSONExtract': await term(`JSONExtract('${TEXT}', 'amount', 'Decimal(38, 2)')`),
    'JSONExtractRaw': await term(`JSONExtractRaw('${TEXT}', 'amount')`),
    'DuckDB, from_json': typed,
  };
  const exact = {
    'simpleJSONExtractRaw': await term(`simpleJSONExtractRaw('${TEXT}', 'amount')`),
    'JSONEachRow': await ask(`SELECT toString(amount) FROM format(JSONEachRow, 'amount Decimal(38, 2)', '${TEXT}')`),
    'JSONExtract of a text': await term(`JSONExtract('{"amount":"90071992547409.93"}', 'amount', 'Decimal(38, 2)')`),
  };
  const raw = await term(`JSONExtractRaw('{"amount":12.30}', 'amount')`);
  console.log({ changed, exact, raw });
  const all = (values, text) => Object.values(values).every((value) => value === text);
  if (!all(changed, '90071992547409.94') || !all(exact, '90071992547409.93') || raw !== '12.3')
    throw new Error('the behaviour has changed');
})();
JS
node inside.cjs
