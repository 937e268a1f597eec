#!/usr/bin/env bash
# How a profit changed, in percent, by @woocommerce/number 2.6.0 (the numbers of WooCommerce Analytics) and @grafana/data 11.6.0 (npm).
# Expected: no percentage of a base that is zero or a loss, or one whose sign says whether things went up.
# Seen: from -5 to 5 is -200 % in both, and so is from 5 to -5; a loss that doubles, from -5 to -10, is +100 %. From 0 to 500 is 0 in WooCommerce,
# as if nothing had changed, and Infinity in Grafana.
# Why it matters: a shop that comes out of its loss reads a fall, and colours follow the sign. The app gives a percentage only of a base above
# zero, and the API gives both figures and their difference.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --legacy-peer-deps @woocommerce/number@2.6.0 @grafana/data@11.6.0 react@18.3.1 react-dom@18.3.1
cat >growth.cjs <<'JS'
Object.assign(globalThis, { window: globalThis, location: {}, localStorage: { getItem: () => null } });
const { calculateDelta } = require('@woocommerce/number');
const { reduceField } = require('@grafana/data');
const grafana = (from, to) =>
  reduceField({ field: { name: 'profit', type: 'number', config: {}, values: [from, to] }, reducers: ['diffperc'] }).diffperc;
const seen = [[2, 3], [-5, 5], [5, -5], [-5, -10], [0, 500]].map(([from, to]) => {
  const percents = `${calculateDelta(to, from)} ${grafana(from, to)}`;
  console.log(`from ${from} to ${to}: ${percents}`);
  return percents;
});
if (seen.join() !== '50 50,-200 -200,-200 -200,100 100,0 Infinity') throw new Error('the behaviour has changed');
JS
node growth.cjs
