#!/usr/bin/env bash
# A timestamp with an offset, as an order has it, as a TIMESTAMP of DuckDB (npm: @duckdb/node-api 1.5.6-r.1), beside ClickHouse's DateTime64
# (chdb 3.4.0, the engine 26.7.2). The session of DuckDB is in UTC.
# Expected: 23:30 at -05:00 is 04:30 of the next day, in UTC: DuckDB's type has no zone, so the offset is counted in, or the text is refused. Naming the type
# that read_json gives the column by itself changes nothing.
# Seen: the offset is left out: the cast of the text is 23:30, five hours too early, and 09:00+01:00 is later than 08:30Z, though it is half an hour earlier.
# read_json without types gives 04:30 in a column TIMESTAMP, and 23:30 once that type is named; read_csv does so with the type named. A cast
# to TIMESTAMP_NS or TIMESTAMPTZ is 04:30, and so is ClickHouse.
# Why it matters: the newest of two versions is another one where an offset changed, as with summer time, and hours between a visit and its order are wrong
# by the zone. Instants of answers and files are in UTC here, so both types read the same; the API's introduction names the type for other files.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 @duckdb/node-api@1.5.6-r.1
printf 'order_id,placed_at\n1001,2026-03-01T23:30:00-05:00\n' >orders.csv
printf '{"order_id":1001,"placed_at":"2026-03-01T23:30:00-05:00"}\n' >orders.json
cat >instants.cjs <<'JS'
const { queryAsync } = require('chdb');
const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run("SET TimeZone = 'UTC'");
  const duckdb = async (sql) => (await connection.runAndReadAll(`SELECT ${sql}`)).getRowsJson()[0].join(' ');
  const text = "'2026-03-01T23:30:00-05:00'";
  const engine = await queryAsync(`SELECT CAST(${text} AS DateTime64(0, 'UTC'))`, { format: 'TSVRaw' });
  let changed = false;
  for (const [what, answer, before] of [
    ['cast to TIMESTAMP', await duckdb(`${text}::TIMESTAMP::TEXT`), '2026-03-01 23:30:00'],
    ['cast to TIMESTAMP_NS, TIMESTAMPTZ', await duckdb(`${text}::TIMESTAMP_NS::TEXT, ${text}::TIMESTAMPTZ::TEXT`), '2026-03-02 04:30:00 2026-03-02 04:30:00+00'],
    ['09:00+01:00 later than 08:30Z', await duckdb("'2026-03-01T09:00:00+01:00'::TIMESTAMP > '2026-03-01T08:30:00Z'::TIMESTAMP"), 'true'],
    ['read_json', await duckdb("typeof(placed_at), placed_at::TEXT FROM read_json('orders.json')"), 'TIMESTAMP 2026-03-02 04:30:00'],
    ['read_json, its type named', await duckdb("typeof(placed_at), placed_at::TEXT FROM read_json('orders.json', columns = {placed_at: 'TIMESTAMP'})"), 'TIMESTAMP 2026-03-01 23:30:00'],
    ['read_csv', await duckdb("typeof(placed_at), placed_at::TEXT FROM read_csv('orders.csv')"), 'TIMESTAMP WITH TIME ZONE 2026-03-02 04:30:00+00'],
    ['read_csv, TIMESTAMP named', await duckdb("typeof(placed_at), placed_at::TEXT FROM read_csv('orders.csv', types = {placed_at: 'TIMESTAMP'})"), 'TIMESTAMP 2026-03-01 23:30:00'],
    ['ClickHouse, cast to DateTime64', engine.text().trim(), '2026-03-02 04:30:00'],
  ]) {
    console.log(`${what}: ${answer}`);
    changed ||= answer !== before;
  }
  if (changed) throw new Error('the behaviour has changed');
})();
JS
node instants.cjs
