#!/usr/bin/env bash
# Profit by channel as shares of 100 %, in Vega 6.4.0, d3-shape 3.2.1 and the shared code of Lightdash, @lightdash/common 1.167.4 (npm).
# Expected: an error or no share where a channel made a loss, or shares whose signs are those of the amounts.
# Seen: Vega takes each amount without its sign, so a profit of 30 beside a loss of 10 is drawn as 75 % and 25 %, as if both were profits. d3 and
# Lightdash divide by the sum: the same is 150 % and -50 %, and of a profit of 10 beside a loss of 30 the profit is -50 % and the loss 150 %.
# Where both are equal the sum is 0, and Lightdash shows 1000 % for a profit of 10, d3 ten times the whole.
# Why it matters: channels and products with losses are what a shop looks for. The API gives amounts and no shares of profit, and the recipes at /bi
# say to draw them as bars from zero.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --legacy-peer-deps vega@6.4.0 d3-shape@3.2.1 @lightdash/common@1.167.4
cat >shares.mjs <<'JS'
import { createRequire } from 'node:module';
import { stack, stackOffsetExpand } from 'd3-shape';
import * as vega from 'vega';
const { transformToPercentageStacking } = createRequire(import.meta.url)('@lightdash/common');
const percent = (ends) => ends.map(([from, to]) => Math.round((to - from) * 100)).join(' ');
async function byVega(amounts) {
  const transform = [{ type: 'stack', field: 'profit', offset: 'normalize' }];
  const view = new vega.View(vega.parse({ data: [{ name: 'rows', values: amounts.map((profit) => ({ profit })), transform }] }));
  await view.runAsync();
  return percent(view.data('rows').map(({ y0, y1 }) => [y0, y1]));
}
const byD3 = ([a, b]) => percent(stack().keys(['a', 'b']).offset(stackOffsetExpand)([{ a, b }]).map((series) => series[0]));
function byLightdash([a, b]) {
  const { transformedResults } = transformToPercentageStacking([{ day: '1', a, b }], 'day', ['a', 'b']);
  return `${transformedResults[0].a} ${transformedResults[0].b}`;
}
const seen = [];
for (const amounts of [[30, 10], [30, -10], [10, -30], [10, -10]]) {
  seen.push(`${amounts}: ${await byVega(amounts)} | ${byD3(amounts)} | ${byLightdash(amounts)}`);
  console.log(seen.at(-1));
}
const before = [
  '30,10: 75 25 | 75 25 | 75 25',
  '30,-10: 75 25 | 150 -50 | 150 -50',
  '10,-30: 25 75 | -50 150 | -50 150',
  '10,-10: 50 50 | 1000 -1000 | 1000 -1000',
];
if (seen.join() !== before.join()) throw new Error('the behaviour has changed');
JS
node shares.mjs
