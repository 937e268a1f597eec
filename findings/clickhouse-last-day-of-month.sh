#!/usr/bin/env bash
# A day that a month does not have, in ClickHouse (npm: chdb 3.4.0, the engine 26.7.2): the text '2026-11-31', as a report writes "the whole
# of November" when it takes 31 for every month.
# Expected: it is refused, as a text with a time is; toDateOrNull and accurateCastOrNull give NULL.
# Seen: as a Date it is 2026-12-01, in every cast, also the accurate ones, and a month 13 is 1970-01-01. toDateTime and toDateTime64 refuse the
# same day, and toDateTimeOrNull takes it again. A comparison with the text reads it the same way.
# Why it matters: `day BETWEEN '2026-11-01' AND '2026-11-31'` adds the first of December, `day >= '2026-13-01'` all of history, and no error
# says so. The API checks days itself before they reach the engine; who writes SQL of his own has to.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0
cat >compare.cjs <<'JS'
const { query } = require('chdb');
const answer = (sql) => {
  try {
    return query(`SELECT ${sql}`, 'TSV').trim();
  } catch {
    return 'refused';
  }
};
const seen = {
  "toDate('2026-11-31')": '2026-12-01',
  "toDateOrNull('2026-11-31')": '2026-12-01',
  "accurateCast('2026-11-31', 'Date')": '2026-12-01',
  "accurateCastOrNull('2026-11-31', 'Date')": '2026-12-01',
  "toDateOrNull('2026-13-01')": '1970-01-01',
  "toDateTime('2026-11-31 00:00:00')": 'refused',
  "toDateTime64('2026-11-31 00:00:00', 3)": 'refused',
  "toDateTimeOrNull('2026-11-31 00:00:00', 'UTC')": '2026-12-01 00:00:00',
  "toDate('2026-12-01') BETWEEN '2026-11-01' AND '2026-11-31'": '1',
  "toDate('2020-12-01') >= '2026-13-01'": '1',
};
let changed = false;
for (const [sql, was] of Object.entries(seen)) {
  const is = answer(sql);
  console.log(`${sql}: ${is}`);
  changed ||= is !== was;
}
if (changed) throw new Error('the behaviour has changed');
JS
node compare.cjs
