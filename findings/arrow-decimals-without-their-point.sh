#!/usr/bin/env bash
# A Decimal in Arrow's JavaScript library (npm: apache-arrow 21.2.0).
# Expected: -12345.67 in a column Decimal(38, 2) prints as "-12345.67", and Number() of it is -12345.67.
# Seen: it prints its digits without the point, "-1234567", Number() is -1234567, and JSON has quotes within quotes. The scale is in the type
# of the column alone, which prints as "Decimal[38e+2]".
# Why it matters: nothing fails, and every amount is a hundred times too large (or 10^12 times, in a column of 12 decimals). Who reads money from
# Arrow in JavaScript has to put the point in by the scale of the column.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent apache-arrow@21.2.0
cat >compare.cjs <<'JS'
const { Decimal, makeData, Vector } = require('apache-arrow');
const digits = BigInt.asUintN(128, -1234567n);
const words = Uint32Array.from([0n, 32n, 64n, 96n], (shift) => Number((digits >> shift) & 0xffffffffn));
const type = new Decimal(2, 38, 128);
const amounts = new Vector([makeData({ type, length: 1, nullCount: 0, data: words })]);
const amount = amounts.get(0);
const seen = [String(type), String(amount), Number(amount), JSON.stringify({ amount })].join(' ');
console.log('type, text, number, JSON:', seen);
if (seen !== String.raw`Decimal[38e+2] -1234567 -1234567 {"amount":"\"-1234567\""}`) throw new Error('the behaviour has changed');
JS
node compare.cjs
