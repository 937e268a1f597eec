#!/usr/bin/env bash
# A clock time that comes twice, in luxon (npm: luxon 3.7.2): 02:30 on the day on which summer time ends, and the day whose midnight comes
# twice, as in Havana.
# Expected: one of the two instants, always the same (Temporal and moment-timezone take the first); startOf('day') is the first instant of the
# day, the same for each instant of that day.
# Seen: luxon starts from the offset that the zone has when the program runs, so one text is the second instant in winter and the first in
# summer. In Havana startOf('day') of the first hour is one midnight and of any later hour the other, 60 minutes later, so that hour
# lies before the start of its own day, and hasSame(…, 'day') still says yes.
# Why it matters: an import of clock times gives other instants in March than in July, and repeats are no repeats; orders that are grouped or cut
# by startOf('day') lose an hour. A day has to come from the instant and the offset at it, and a clock time needs a stated rule.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TZ=UTC
npm init -y >/dev/null
npm install --no-audit --no-fund --silent luxon@3.7.2 moment-timezone@0.6.6 temporal-polyfill@1.0.8
cat >twice.cjs <<'JS'
const { DateTime, Settings } = require('luxon');
const moment = require('moment-timezone');
const { Temporal } = require('temporal-polyfill');
const [text, zone] = ['2026-10-25T02:30:00', 'Europe/Berlin'];
const read = ['2026-01-15', '2026-07-15'].map((day) => {
  Settings.now = () => Date.parse(day);
  return DateTime.fromISO(text, { zone }).toUTC().toFormat('HH:mm');
});
const first = [moment.tz(text, zone).utc().format('HH:mm'), Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant().toString().slice(11, 16)];
console.log(`02:30 in Berlin, read in January and in July: ${read} UTC; moment-timezone and Temporal: ${first} UTC`);

const at = (utc) => DateTime.fromISO(`2026-11-01T${utc}Z`, { zone: 'America/Havana' });
const [early, noon] = [at('04:15'), at('17:00')];
const starts = [early, noon].map((time) => time.startOf('day').toUTC().toFormat('HH:mm'));
const outside = early < noon.startOf('day');
console.log(`Havana's day from 00:15 on begins at ${starts[0]} UTC, from noon on at ${starts[1]}; 00:15 is before it: ${outside}`);
console.log(`the same day all the same: ${early.hasSame(noon, 'day')}`);
if (`${read};${first};${starts};${outside};${early.hasSame(noon, 'day')}` !== '01:30,00:30;00:30,00:30;04:00,05:00;true;true') throw new Error('the behaviour has changed');
JS
node twice.cjs
