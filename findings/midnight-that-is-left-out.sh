#!/usr/bin/env bash
# The start of a day whose midnight is left out (Cairo, 2026-04-24; Santiago, 2026-09-06: the clock goes from 23:59 to 01:00), in ClickHouse
# (npm: chdb 3.4.0, the engine 26.7.2), dayjs 1.11.23, date-fns-tz 3.2.0, luxon 3.7.2 and moment-timezone 0.6.6.
# Expected: the day begins at 01:00, and all of them say so; within one library both ways to it (the start of the day of an instant, the
# text of the day with 00:00) are one.
# Seen: ClickHouse's toStartOfDay and toDateTime of a Date say 01:00, but toDateTime('… 00:00:00', zone) and parseDateTimeBestEffort are 23:00 of
# the day before, and date-fns-tz says the same. dayjs parses the text to 01:00, and its startOf('day') is 23:00 of the day before in Cairo.
# Why it matters: a query of `placed_at >= toDateTime('2026-04-24 00:00:00', zone)` takes an hour of the day before into its sums, once a year, in
# zones that nobody tests. A range of days has to compare days, not instants made from texts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TZ=UTC
npm init -y >/dev/null
npm install --no-audit --no-fund --silent chdb@3.4.0 dayjs@1.11.23 date-fns-tz@3.2.0 date-fns@4.4.0 luxon@3.7.2 moment-timezone@0.6.6
cat >midnight.cjs <<'JS'
const { queryAsync } = require('chdb');
const dayjs = require('dayjs');
dayjs.extend(require('dayjs/plugin/utc'));
dayjs.extend(require('dayjs/plugin/timezone'));
const { fromZonedTime } = require('date-fns-tz');
const { DateTime } = require('luxon');
const moment = require('moment-timezone');
const hours = (utc, start) => (Date.parse(utc) - Date.parse(start)) / 3_600_000;
(async () => {
  const seen = [];
  for (const [zone, day, start] of [['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z'], ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00Z']]) {
    const noon = `${day}T15:00:00Z`;
    const terms = [
      `toStartOfDay(toDateTime('${day} 15:00:00', 'UTC'), '${zone}')`,
      `toDateTime(toDate('${day}'), '${zone}')`,
      `toDateTime('${day} 00:00:00', '${zone}')`,
      `parseDateTimeBestEffort('${day} 00:00:00', '${zone}')`,
    ];
    const engine = JSON.parse((await queryAsync(`SELECT ${terms.map((term) => `toUnixTimestamp(${term})`).join(', ')}`, { format: 'JSONCompactEachRow' })).text());
    const libraries = {
      'dayjs of an instant': dayjs(noon).tz(zone).startOf('day').toISOString(),
      'dayjs of a text': dayjs.tz(day, zone).toISOString(),
      'date-fns-tz of a text': fromZonedTime(`${day}T00:00:00`, zone).toISOString(),
      'luxon of an instant': DateTime.fromISO(noon, { zone }).startOf('day').toUTC().toISO(),
      'moment-timezone of a text': moment.tz(day, zone).toISOString(),
    };
    const off = [...engine.map((seconds) => hours(new Date(Number(seconds) * 1000).toISOString(), start)), ...Object.values(libraries).map((utc) => hours(utc, start))];
    console.log(zone, 'hours from the start of the day:', ['toStartOfDay', 'toDateTime(Date)', 'toDateTime(text)', 'parseDateTimeBestEffort', ...Object.keys(libraries)].map((name, i) => `${name} ${off[i]}`).join(', '));
    seen.push(off.join());
  }
  if (seen.join(';') !== '0,0,-1,-1,-1,0,-1,0,0;0,0,-1,-1,0,0,-1,0,0') throw new Error('the behaviour has changed');
})();
JS
node midnight.cjs
