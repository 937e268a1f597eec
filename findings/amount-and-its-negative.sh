#!/usr/bin/env bash
# An amount and its negative (a sale and its refund), rounded to cents by libraries for money: dinero.js 2.0.2, currency.js 2.0.4 and big.js 7.0.1 (npm).
# Expected: they cancel: what rounds 1.005 to 1.01 rounds -1.005 to -1.01, as invoices do, big.js and SQL's round; or digits are cut from both.
# Seen: dinero's transformScale rounds towards minus infinity unless told otherwise: 1.009 is 1.00 and -1.001 is -1.01. Its halfUp is towards plus
# infinity (1.005 is 1.01, -1.005 is -1.00), and so is currency.js; halfAwayFromZero is the one that cancels.
# Why it matters: a sale and its full refund leave a cent, always on the same side, so sums over many orders drift; figures that were computed
# elsewhere as revenue minus refunds can't be met by rounding their difference.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent dinero.js@2.0.2 currency.js@2.0.4 big.js@7.0.1
cat >cancel.mjs <<'JS'
import Big from 'big.js';
import currency from 'currency.js';
import { dinero, halfAwayFromZero, halfUp, toDecimal, transformScale } from 'dinero.js';
const EUR = { code: 'EUR', base: 10, exponent: 2 };
const money = (rounding) => (thousandths) => toDecimal(transformScale(dinero({ amount: thousandths, currency: EUR, scale: 3 }), 2, rounding));
const WAYS = {
  'dinero.js': money(undefined),
  'dinero.js, halfUp': money(halfUp),
  'dinero.js, halfAwayFromZero': money(halfAwayFromZero),
  'currency.js': (thousandths) => String(currency(String(thousandths / 1000))),
  'big.js': (thousandths) => new Big(thousandths).div(1000).toFixed(2),
};
const seen = Object.entries(WAYS).map(([name, round]) => {
  const amounts = [1001, -1001, 1005, -1005, 1009, -1009].map(round).join(' ');
  console.log(`${name}: 1.001, 1.005 and 1.009, each with its negative: ${amounts}`);
  return amounts;
});
const towardsPlus = '1.00 -1.00 1.01 -1.00 1.01 -1.01';
const away = '1.00 -1.00 1.01 -1.01 1.01 -1.01';
if (seen.join() !== ['1.00 -1.01 1.00 -1.01 1.00 -1.01', towardsPlus, away, towardsPlus, away].join()) throw new Error('the behaviour has changed');
JS
node cancel.mjs
