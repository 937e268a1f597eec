#!/usr/bin/env bash
# Amounts that are texts, as an API of exact money gives them, summed up and compared by libraries for charts: d3-array 3.2.5, Vega 6.4.0 with
# Vega-Lite 6.4.3, and arquero 7.2.1 (npm); 9.50, 10.00 and 100.00.
# Expected: a library takes such texts for numbers in all that it computes, or in nothing; where the sum is right, so is the rest.
# Seen: all three have the sum 119.5 and the mean 39.83, and then "9.50" for the largest and "10.00" for the smallest, by the letters: the extent of d3 runs
# backwards. The median is 10 in d3 and Vega and 100 in arquero. Vega-Lite is right in what it encodes, and not in an aggregate among
# its transforms.
# Why it matters: a total that is right says that the amounts were read, and the axis ends below most bars; the best day is a bad one. As long
# as all amounts have as many digits, as in test data, nothing shows. The introduction of the API says to make numbers of them before.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --legacy-peer-deps d3-array@3.2.5 vega@6.4.0 vega-lite@6.4.3 arquero@7.2.1
cat >texts.mjs <<'JS'
import * as aq from 'arquero';
import * as d3 from 'd3-array';
import * as vega from 'vega';
import { compile } from 'vega-lite';
const values = ['9.50', '10.00', '100.00'].map((amount) => ({ amount }));
const OPS = ['sum', 'mean', 'median', 'max', 'min'];
const rounded = (list) => list.map((value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : `"${value}"`)).join(' ');
async function byVega(spec, name) {
  const view = new vega.View(vega.parse(spec));
  await view.runAsync();
  return view.data(name)[0];
}
const aggregate = { type: 'aggregate', ops: OPS, fields: OPS.map(() => 'amount'), as: OPS };
const inVega = await byVega({ data: [{ name: 'rows', values, transform: [aggregate] }] }, 'rows');
async function byVegaLite(op, isTransform) {
  const transform = isTransform ? [{ aggregate: [{ op, field: 'amount', as: 'seen' }] }] : [];
  const y = { type: 'quantitative', ...(isTransform ? { field: 'seen' } : { aggregate: op, field: 'amount' }) };
  const { spec } = compile({ data: { values }, transform, mark: 'point', encoding: { y } });
  const row = await byVega(spec, spec.marks[0].from.data);
  return isTransform ? row.seen : row[`${op}_amount`];
}
const amounts = values.map(({ amount }) => amount);
const { op } = aq;
const table = aq.from(values).rollup(Object.fromEntries(OPS.map((name) => [name, op[name]('amount')]))).object();
let changed = false;
for (const [what, seen, before] of [
  ['d3, sum, mean, median, max, min', rounded(OPS.map((name) => d3[name](amounts))), '119.5 39.83 10 "9.50" "10.00"'],
  ['d3, extent', rounded(d3.extent(amounts)), '"10.00" "9.50"'],
  ['Vega', rounded(OPS.map((name) => inVega[name])), '119.5 39.83 10 "9.50" "10.00"'],
  ['Vega-Lite, encoded', rounded(await Promise.all(OPS.map((name) => byVegaLite(name, false)))), '119.5 39.83 10 100 9.5'],
  ['Vega-Lite, transformed', rounded(await Promise.all(OPS.map((name) => byVegaLite(name, true)))), '119.5 39.83 10 "9.50" "10.00"'],
  ['arquero', rounded(OPS.map((name) => table[name])), '119.5 39.83 100 "9.50" "10.00"'],
]) {
  console.log(`${what}: ${seen}`);
  changed ||= seen !== before;
}
if (changed) throw new Error('the behaviour has changed');
JS
node texts.mjs
