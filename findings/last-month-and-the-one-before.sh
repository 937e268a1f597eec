#!/usr/bin/env bash
# The days with which WooCommerce Analytics compares a month or a quarter: @woocommerce/date 5.0.0 (npm), asked on days of 2026.
# Expected: "last month" beside the "previous period" is the whole month before, as the running month beside it is the same days of that month.
# Seen: a last month or quarter is compared with as many days just before it. March 2026 with 29 January to 28 February, November with 2 to 31
# October, the third quarter with 31 March to 30 June. A last year is compared with the whole year before, a running month with its part of
# the month before, and on the 31st of March that part is the whole of February.
# Why it matters: a merchant who lays `vs=before` of a whole month beside it finds other figures on both sides of the same month. Ours is the whole
# month, quarter or year before, whether it has ended or not; the guide for WooCommerce says so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --legacy-peer-deps @woocommerce/date@5.0.0 lodash@4.17.21
cat >before.cjs <<'JS'
Object.assign(globalThis, { window: globalThis, wcSettings: { timeZone: 'UTC' } });
const moment = require('moment');
const { getCurrentDates } = require('@woocommerce/date');
const [, , now, period] = process.argv;
moment.now = () => Date.parse(`${now}T12:00:00Z`);
const days = ({ after, before }) => `${after.format('YYYY-MM-DD')}..${before.format('YYYY-MM-DD')}`;
const { primary, secondary } = getCurrentDates({ period, compare: 'previous_period' });
console.log(`${period}: ${days(primary)} beside ${days(secondary)}`);
JS
asked() { TZ=UTC node before.cjs "$1" "$2"; }
seen=$(
  asked 2026-04-10 last_month
  asked 2026-12-10 last_month
  asked 2026-10-10 last_quarter
  asked 2026-01-10 last_year
  asked 2026-03-31 month
)
echo "$seen"
[ "$seen" = "last_month: 2026-03-01..2026-03-31 beside 2026-01-29..2026-02-28
last_month: 2026-11-01..2026-11-30 beside 2026-10-02..2026-10-31
last_quarter: 2026-07-01..2026-09-30 beside 2026-03-31..2026-06-30
last_year: 2025-01-01..2025-12-31 beside 2024-01-01..2024-12-31
month: 2026-03-01..2026-03-31 beside 2026-02-01..2026-02-28" ] || { echo 'the behaviour has changed'; exit 1; }
