#!/usr/bin/env bash
# A measure without a value, as the return on ads of a day without ads, in the client of Cube: @cubejs-client/core 1.7.43 (npm), on an answer of
# two of three days.
# Expected: a table and a chart show nothing, or null, where the answer says null; only days that are not in the answer are filled.
# Seen: tablePivot, chartPivot and series give 0 for null as for a day that is missing. fillWithValue replaces both, and cannot be null; rawData()
# keeps null. chartPivot makes a number of each amount, so digits behind the sixteenth are lost; tablePivot keeps the text.
# Why it matters: a return of 0 says that ads brought nothing, where there were no ads; an average of orders of 0 says that they were free.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent @cubejs-client/core@1.7.43
cat >pivot.mjs <<'JS'
import { ResultSet } from '@cubejs-client/core';
const measure = 'daily_metrics.blended_roas';
const query = {
  measures: [measure],
  dimensions: [],
  timezone: 'UTC',
  timeDimensions: [{ dimension: 'daily_metrics.day', granularity: 'day', dateRange: ['2026-01-01', '2026-01-03'] }],
};
const annotation = { measures: { [measure]: { title: 'ROAS', shortTitle: 'ROAS', type: 'number' } }, dimensions: {}, segments: {}, timeDimensions: {} };
const data = [
  { 'daily_metrics.day.day': '2026-01-01T00:00:00.000', [measure]: '12345678901234567.89' },
  { 'daily_metrics.day.day': '2026-01-02T00:00:00.000', [measure]: null },
];
const answer = new ResultSet({ queryType: 'regularQuery', results: [{ query, annotation, data }], pivotQuery: query });
const valuesOf = (rows) => JSON.stringify(rows.map((row) => row[measure]));
const seen = {
  rawData: valuesOf(answer.rawData()),
  tablePivot: valuesOf(answer.tablePivot()),
  'tablePivot, fillWithValue null': valuesOf(answer.tablePivot({ fillWithValue: null })),
  "tablePivot, fillWithValue '-'": valuesOf(answer.tablePivot({ fillWithValue: '-' })),
  chartPivot: valuesOf(answer.chartPivot()),
};
for (const [name, values] of Object.entries(seen)) console.log(`${name}: ${values}`);
const filled = '["12345678901234567.89",0,0]';
const expected = ['["12345678901234567.89",null]', filled, filled, '["12345678901234567.89","-","-"]', '[12345678901234568,0,0]'];
if (Object.values(seen).join() !== expected.join()) throw new Error('the behaviour has changed');
JS
node pivot.mjs
