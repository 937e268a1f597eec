#!/usr/bin/env bash
# What is no amount, in a Decimal column that ClickHouse (npm: chdb 3.4.0, the engine 26.7.2) reads from JSON lines and CSV.
# Expected: null, an empty text, a lone minus sign and a text with two points are errors, as 1,5 and 1.5x are; the column is not Nullable.
# Seen: null, "", "-", and a field that is not there are 0 in JSON, an empty cell and \N are 0 in CSV, and 1.5.5 is 1.55. No error, no warning. Only
# null and missing fields have settings (input_format_null_as_default, input_format_defaults_for_omitted_fields), of which the first
# makes null an error; the others stay.
# Why it matters: an unknown cost becomes a cost of zero, and profit is too high by it. What is not known has to be told apart before it reaches the
# engine, and texts have to be checked whole by the one who writes the rows.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0
cat >read.cjs <<'JS'
const { queryAsync } = require('chdb');
const read = async (format, text, settings = '') => {
  const sql = `SELECT toString(amount) FROM format(${format}, 'amount Decimal(18, 2)', $text$${text}\n$text$) ${settings}`;
  return queryAsync(sql, { format: 'TSVRaw' }).then((answer) => answer.text().trim(), () => 'error');
};
(async () => {
  const seen = [];
  for (const [format, text] of [
    ...['{"amount":null}', '{"amount":""}', '{"amount":"-"}', '{}', '{"amount":"1.5.5"}', '{"amount":"1,5"}', '{"amount":"1.5x"}'].map((text) => ['JSONEachRow', text]),
    ...['""', '\\N', '1.5x'].map((text) => ['CSV', text]),
  ]) {
    seen.push(await read(format, text));
    console.log(`${format} ${text}: ${seen.at(-1)}`);
  }
  const strict = 'SETTINGS input_format_null_as_default = 0, input_format_defaults_for_omitted_fields = 0';
  const left = [];
  for (const text of ['{"amount":null}', '{"amount":""}', '{"amount":"-"}', '{"amount":"1.5.5"}']) left.push(await read('JSONEachRow', text, strict));
  console.log('with the strict settings, null, "", "-" and 1.5.5:', left.join(', '));
  if (seen.join() !== '0,0,0,0,1.55,error,error,0,0,error' || left.join() !== 'error,0,0,1.55') throw new Error('the behaviour has changed');
})();
JS
node read.cjs
