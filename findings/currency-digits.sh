#!/usr/bin/env bash
# The digits of currencies: the runtime's Intl beside ISO 4217 (npm: currency-codes 2.2.0, the standard's list one of 2024-06-25).
# Expected: Intl formats an amount in the digits that the standard gives its currency.
# Seen (Node 20, ICU of CLDR 47/48): Intl has the digits of daily use. HUF, COP, IDR, PKR have 0 and not 2, IQD 0 and not 3.
# Why it matters: a price of 12.50 HUF is shown as 13, and a tolerance of "half of the smallest unit" taken from Intl is a hundred times
# too large, or a thousand times for IQD. The service takes the digits from a list of its own (src/domain/currency.ts).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent currency-codes@2.2.0
cat >compare.cjs <<'JS'
const standard = new Map(require('currency-codes/data').map(({ code, digits }) => [code, digits]));
const intl = (currency) => new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
const expected = { HUF: [2, 0], COP: [2, 0], IDR: [2, 0], PKR: [2, 0], IQD: [3, 0], KWD: [3, 3], JPY: [0, 0], EUR: [2, 2] };
let changed = false;
for (const [code, [iso, runtime]] of Object.entries(expected)) {
  console.log(`${code}: the standard ${standard.get(code)}, Intl ${intl(code)}`);
  changed ||= standard.get(code) !== iso || intl(code) !== runtime;
}
console.log('12.50 HUF by Intl:', new Intl.NumberFormat('en', { style: 'currency', currency: 'HUF' }).format('12.50'));
if (changed) throw new Error('the behaviour has changed');
JS
node compare.cjs
