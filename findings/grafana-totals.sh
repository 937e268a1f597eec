#!/usr/bin/env bash
# What a panel of Grafana reduces a column to: @grafana/data 11.6.0 (npm), with a figure of three days and with amounts that are texts.
# Expected: Delta is the last value minus the first; a total of texts is an error or not a number.
# Seen: Delta of 100, 80, 90 is 90: a fall is taken for a counter that began again at 0, and the 90 after it counts whole. Difference is -10.
# Of amounts that are texts Last is the text, Total is 0, and Mean and Max are empty.
# Why it matters: "how did earnings change in this range" is wrong by any fall within it, and never negative. Amounts of the API are texts, so
# that no digit is lost: a panel that reads them from JSON shows a total of 0 until the field is converted; columns of the views are numbers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --legacy-peer-deps @grafana/data@11.6.0 react@18.3.1 react-dom@18.3.1
cat >totals.cjs <<'JS'
Object.assign(globalThis, { window: globalThis, location: {}, localStorage: { getItem: () => null } });
const { reduceField } = require('@grafana/data');
const reduced = (type, values, reducers) => {
  const all = reduceField({ field: { name: 'earnings', type, config: {}, values }, reducers });
  const text = reducers.map((reducer) => `${reducer} ${all[reducer]}`).join(', ');
  console.log(`${JSON.stringify(values)}: ${text}`);
  return text;
};
const seen = [
  reduced('number', [100, 80, 90], ['delta', 'diff']),
  reduced('string', ['10.25', '10.05'], ['lastNotNull', 'sum', 'mean', 'max']),
];
if (seen.join('; ') !== 'delta 90, diff -10; lastNotNull 10.05, sum 0, mean null, max null') throw new Error('the behaviour has changed');
JS
node totals.cjs
