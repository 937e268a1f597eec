#!/usr/bin/env bash
# The day of one timestamp with an offset, from CSV and from JSON lines, in DuckDB (npm: @duckdb/node-api 1.5.6-r.1), whose session is in Berlin.
# Expected: read_csv and read_json guess the same type for the same text, so placed_at::DATE is one day.
# Seen: CSV becomes TIMESTAMP WITH TIME ZONE, whose day is that of the session: 2026-03-02. JSON becomes a TIMESTAMP without zone, in UTC, whose day
# is 2026-03-01 whatever the session says. In a session in UTC, as on most servers, both agree, so nothing shows.
# Why it matters: orders after midnight move to the day before for those who read JSON, and a comparison of the two forms of one export differs by
# day although each row is equal. Exports should bring the shop's day as a column of its own, and readers should use it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent @duckdb/node-api@1.5.6-r.1
printf 'order_id,placed_at\n1001,2026-03-02T00:30:00+01:00\n' >orders.csv
printf '{"order_id":"1001","placed_at":"2026-03-02T00:30:00+01:00"}\n' >orders.json
cat >days.cjs <<'JS'
const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const seen = [];
  for (const zone of ['UTC', 'Europe/Berlin']) {
    await connection.run(`SET TimeZone = '${zone}'`);
    for (const source of ["read_csv('orders.csv')", "read_json('orders.json')"]) {
      const [row] = (await connection.runAndReadAll(`SELECT typeof(placed_at), placed_at::DATE::VARCHAR FROM ${source}`)).getRowsJson();
      console.log(`session in ${zone}, ${source}: ${row[0]}, day ${row[1]}`);
      seen.push(row[1]);
    }
  }
  if (seen.join() !== '2026-03-01,2026-03-01,2026-03-02,2026-03-01') throw new Error('the behaviour has changed');
})();
JS
node days.cjs
