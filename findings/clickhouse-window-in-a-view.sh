#!/usr/bin/env bash
# A view that numbers the orders of a customer by a window function, asked for one order, in ClickHouse (npm: chdb 3.4.0, the engine 26.7.2).
# Expected: either the window costs each reader of the view, or nobody who filters on the key of the table: a filter on a view is pushed down.
# Seen: it depends on the columns that are asked for. Without the number the window goes away and the filter reaches the index: one granule of
# 8,192 rows. With the number, which SELECT * has too, all rows are read, since the filter may not go below the window. A filter on a
# column of PARTITION BY may go below it, but the key begins with another one. EXPLAIN says so; no error or warning does.
# Why it matters: BI tools ask SELECT * with a filter. One convenient column turns each look at one order into a read of the whole history.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0
cat >view.cjs <<'JS'
const { Session } = require('chdb');
(async () => {
  const session = new Session();
  const run = async (sql, format = 'JSON') => (await session.queryAsync(sql, { format })).text();
  await run('CREATE TABLE orders (id UInt64, customer String, placed_at DateTime, amount Decimal(18, 2)) ENGINE = MergeTree ORDER BY id');
  await run("INSERT INTO orders SELECT number, toString(number % 1000), toDateTime('2026-01-01 00:00:00') + number, 1 FROM numbers(1000000)");
  await run('CREATE VIEW numbered AS SELECT *, row_number() OVER (PARTITION BY customer ORDER BY placed_at, id) AS n FROM orders');
  const read = {};
  for (const columns of ['id, amount', 'n', '*']) read[columns] = JSON.parse(await run(`SELECT ${columns} FROM numbered WHERE id = 77`)).statistics.rows_read;
  console.log('rows read for one order:', JSON.stringify(read));
  if (read['id, amount'] > 10_000 || read.n < 1_000_000 || read['*'] < 1_000_000) throw new Error('the behaviour has changed');
})();
JS
node view.cjs
