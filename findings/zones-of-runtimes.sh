#!/usr/bin/env bash
# The day of one instant in Vancouver, by the runtimes of one installation and by a dated package (npm: node 20.19.5,
# moment-timezone 0.6.6 with the IANA release 2026f).
# Expected: every maintained release of Node knows the laws of the year, so both give the same day.
# Seen: British Columbia kept summer time in 2026, and Node 20 ends with a release of the zones of 2025. 2026-11-26T00:30:00-07:00 is the
# 26th by the law and by the package, and still the 25th by Node 20: the first hour of every day is on the day before.
# Why it matters: days of orders are cut by a time zone. A runtime, a database server and a browser each carry another release, so an
# installation has three clocks, unless the zones come from one dated package (src/domain/zones).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@20.19.5 moment-timezone@0.6.6
cat >compare.cjs <<'JS'
const moment = require('moment-timezone');
const at = Date.parse('2026-11-26T00:30:00-07:00');
const runtime = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Vancouver', dateStyle: 'short' }).format(at);
const dated = moment.tz(at, 'America/Vancouver').format('YYYY-MM-DD');
console.log(`Node ${process.versions.node} with ${process.versions.tz}: ${runtime}; package with ${moment.tz.dataVersion}: ${dated}`);
if (runtime !== '2026-11-25' || dated !== '2026-11-26') throw new Error('the behaviour has changed');
JS
./node_modules/node/bin/node compare.cjs
