#!/usr/bin/env bash
# Dates of exports with a slash, and ids among them, read by parseDateTimeBestEffortOrNull of ClickHouse (npm: chdb 3.4.0, the engine 26.7.2).
# Expected: one reading of day and month for all texts of a column, and NULL for what can't be a date in it, as 12/25/2026 is no day where 25/12/2026 is.
# Seen: 04/03/2026 is 4 March, so day first; 12/25/2026, which then has a 25th month, is 25 December and not NULL: each text that allows only one
# reading gets it. An order number is a date as well: 2026 is 1 January 2026, and 1001 is 1 January 1970.
# Why it matters: in an export of an American shop the 1st to 12th of each month are moved to other months and the rest is right, so sums by month are
# plausible and wrong, and no row fails. The form of a whole column has to be given (parseDateTime with a format), and one text that does
# not fit it has to be an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0
cat >dates.cjs <<'JS'
const { queryAsync } = require('chdb');
const clickhouse = async (sql) => (await queryAsync(`SELECT ${sql}`, { format: 'TSVRaw' })).text().trim().replaceAll('\n', ' ').replaceAll('\t', ' ');

(async () => {
  const read = (text) => clickhouse(`toDate(parseDateTimeBestEffortOrNull('${text}', 'UTC'))`);
  const seen = {
    '04/03/2026': await read('04/03/2026'),
    '25/12/2026': await read('25/12/2026'),
    '12/25/2026': await read('12/25/2026'),
    2026: await read('2026'),
    1001: await read('1001'),
    'a format, 12/25/2026': await clickhouse("parseDateTimeOrNull('12/25/2026', '%d/%m/%Y', 'UTC')"),
  };
  // Numbers as keys come first.
  const expected = ['1970-01-01', '2026-01-01', '2026-03-04', '2026-12-25', '2026-12-25', '\\N'];
  console.log(seen);
  if (Object.values(seen).join() !== expected.join()) throw new Error('the behaviour has changed');
})();
JS
node dates.cjs
