#!/usr/bin/env bash
# Amounts as exports of shops and ad networks write them, read by currency.js 2.0.4, accounting 0.4.1 and numeral 2.0.6 (npm).
# Expected: what a library does not understand is NaN, null or an error; a decimal comma is one or the other.
# Seen: unknown signs are dropped and the rest is a number. 12,34 is 1234 in all three, and 0,005 is 5; 1e3 is 13; a minus sign of typography
# (U+2212, as spreadsheets and reports write it) is dropped, so a refund becomes a sale; 12.34- is 12.34 in accounting, -12.34 in numeral, NaN
# in currency.js. 1.234,56 is 1.23. Only currency.js has an option that makes such faults errors (errorOnInvalid), and 12,34 passes it.
# Why it matters: an export of a German shop comes out a hundred times too large, and sums still look like money. A reader of amounts has to ask
# for the form of the whole column, and to refuse a text as a whole.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent currency.js@2.0.4 accounting@0.4.1 numeral@2.0.6
cat >read.cjs <<'JS'
const currency = require('currency.js');
const accounting = require('accounting');
const numeral = require('numeral');
const seen = ['1,234.56', '12,34', '0,005', '1.234,56', '1e3', '\u221212.34', '12.34-'].map((text) => {
  const values = [currency(text).value, accounting.unformat(text), numeral(text).value()];
  console.log(`${text}: currency.js ${values[0]}, accounting ${values[1]}, numeral ${values[2]}`);
  return values.join(' ');
});
let strict;
try {
  strict = String(currency('12,34', { errorOnInvalid: true }).value);
} catch (error) {
  strict = error.message;
}
console.log('12,34 with errorOnInvalid:', strict);
const expected = ['1234.56 1234.56 1234.56', '1234 1234 1234', '5 5 5', '1.23 1.23456 1.23456', '13 13 13', '12.34 12.34 12.34', 'NaN 12.34 -12.34'];
if (seen.join() !== expected.join() || strict !== '1234') throw new Error('the behaviour has changed');
JS
node read.cjs
