#!/usr/bin/env bash
# A rule that makes one row of old ones, `TTL … GROUP BY … SET`, beside one that deletes them: ClickHouse (npm: chdb 3.4.0, the engine 26.7.2),
# 100,000 rows of 1,000 keys, half of them old, and rules that are looked at each second.
# Expected: once a part holds one old row a key, nothing is left to do, as after a deletion; it is written again only when more rows grow old.
# Seen: the part of the rule that deletes is written once. That of the rule that folds is written again each time the rules are looked at, with
# the same rows: the row that is left is as old as those that it was made of, so the part is due again at once.
# Why it matters: by default rules are looked at each four hours, so a history of which old versions are folded is rewritten whole six times a
# day, for nothing. The table of the histories says a week (merge_with_ttl_timeout).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0
cat >fold.cjs <<'JS'
const { Session } = require('chdb');
const session = new Session(`${process.cwd()}/data`);
const ask = (sql) => String(session.query(sql, 'TSV')).trim();
const RULES = { deletes: '', folds: 'GROUP BY id SET amount = max(amount)' };
ask('CREATE DATABASE d ENGINE = Atomic');
for (const [name, rule] of Object.entries(RULES)) {
  ask(`CREATE TABLE d.${name} (id UInt32, at DateTime, amount UInt64) ENGINE = MergeTree ORDER BY (id, at)
    TTL at + INTERVAL 400 DAY ${rule} SETTINGS merge_with_ttl_timeout = 1`);
  ask(`INSERT INTO d.${name} SELECT number % 1000, now() - INTERVAL (number % 800) DAY, number FROM numbers(100000)`);
}
const stateOf = (name) => {
  const [rows, times] = ask(`SELECT sum(rows), max(level) FROM system.parts WHERE active AND database = 'd' AND table = '${name}'`).split('\t');
  return { rows: Number(rows), times: Number(times) };
};
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const settled = (names) => names.every((name) => stateOf(name).rows < 100_000);
(async () => {
  for (let i = 0; i < 300 && !settled(Object.keys(RULES)); i++) await pause(100);
  const before = Object.keys(RULES).map(stateOf);
  for (let i = 0; i < 300 && stateOf('folds').times < before[1].times + 3; i++) await pause(100);
  const after = Object.keys(RULES).map(stateOf);
  Object.keys(RULES).forEach((name, i) => console.log(`${name}: ${before[i].rows} rows, later ${after[i].rows}; written ${after[i].times - before[i].times} times more`));
  const isAsSeen = after[0].rows === before[0].rows && after[0].times === before[0].times && after[1].rows === before[1].rows && after[1].times >= before[1].times + 3;
  if (!isAsSeen) throw new Error('the behaviour has changed');
  session.cleanup();
})();
JS
node fold.cjs
