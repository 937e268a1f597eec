#!/usr/bin/env bash
# The unit cost of a day from a dictionary of ranges (RANGE_HASHED) whose ranges are open at the end, in ClickHouse (npm: chdb 3.4.0, the engine 26.7.2).
# Expected: costs are entered as "1.00 from January, 2.00 from March", without an end; on 1 April it is 2.00, as ASOF JOIN gives it. A SKU that is not
# there is NULL or an error.
# Seen: it is 1.00: of ranges that overlap the one that begins first wins (range_lookup_strategy 'min', the default), so a newer cost never counts.
# dictGet of an unknown SKU is 0. 'max' gives the newest, and dictGetOrNull the NULL.
# Why it matters: a new cost changes no figure and nothing fails, and a product without a cost is all profit.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0
cat >dictionary.cjs <<'JS'
const { Session } = require('chdb');
const session = new Session();
const run = (sql) => String(session.query(sql, 'TSVRaw')).trim().replaceAll('\t', ' ');
run('CREATE DATABASE shop');
run('CREATE TABLE shop.costs (sku String, since Date, until Nullable(Date), cost Decimal(9, 2)) ENGINE = MergeTree ORDER BY sku');
run("INSERT INTO shop.costs VALUES ('A', '2026-01-01', NULL, 1), ('A', '2026-03-01', NULL, 2)");
const dictionary = (name, layout) =>
  run(`CREATE DICTIONARY shop.${name} (sku String, since Date, until Nullable(Date), cost Decimal(9, 2)) PRIMARY KEY sku
    SOURCE(CLICKHOUSE(DB 'shop' TABLE 'costs')) LIFETIME(0) LAYOUT(${layout}) RANGE(MIN since MAX until)`);
dictionary('oldest', 'COMPLEX_KEY_RANGE_HASHED()');
dictionary('newest', "COMPLEX_KEY_RANGE_HASHED(range_lookup_strategy 'max')");
const get = (name, sku, read = 'dictGet') => run(`SELECT ${read}('shop.${name}', 'cost', tuple('${sku}'), toDate('2026-04-01'))`);
const seen = {
  'the default': get('oldest', 'A'),
  "'max'": get('newest', 'A'),
  'ASOF JOIN': run("SELECT cost FROM (SELECT 'A' AS sku, toDate('2026-04-01') AS day) AS o ASOF JOIN shop.costs AS c ON o.sku = c.sku AND o.day >= c.since"),
  'an unknown SKU': get('oldest', 'B'),
  'an unknown SKU, dictGetOrNull': get('oldest', 'B', 'dictGetOrNull'),
};
const expected = ['1', '2', '2', '0', '\\N'];
console.log(seen);
if (Object.values(seen).join() !== expected.join()) throw new Error('the behaviour has changed');
process.exit(0);
JS
node dictionary.cjs
