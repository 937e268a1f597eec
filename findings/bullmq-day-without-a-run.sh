#!/usr/bin/env bash
# A daily job in the hour that a zone leaves out, as BullMQ plans it (npm: bullmq 6.7.0 with cron-parser 5.10.3) beside croner 11.0.1 and cron 4.4.0.
# Expected: a run a day. A time that is left out moves to the end of the gap or by its length, as all three do for 02:30 in Berlin.
# Seen: croner and cron hold to it everywhere. BullMQ's next run of 00:00 or 00:30 skips the whole day where midnight is what is left out (Cairo,
# 2026-04-24; Santiago, 2026-09-06): after the 23rd comes the 25th. Nothing is logged. In Havana, where midnight comes twice, it runs at
# the second one, an hour after the day began; the others at the first.
# Why it matters: what a shop gets once a day (a summary, an import, the closing of its day) is missing for that day, in some zones, once a year.
# The day has to be asked for by itself ("is the shop's yesterday done?"), not left to a timer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TZ=UTC
npm init -y >/dev/null
npm install --no-audit --no-fund --silent bullmq@6.7.0 cron-parser@5.10.3 croner@11.0.1 cron@4.4.0 luxon@3.7.2
cat >runs.cjs <<'JS'
const { getNextMillis } = require('bullmq');
const { Cron } = require('croner');
const { CronTime } = require('cron');
const { DateTime } = require('luxon');
(async () => {
  const seen = [];
  for (const [pattern, tz, from] of [
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z'],
    ['0 0 * * *', 'Africa/Cairo', '2026-04-23T12:00:00Z'],
    ['30 0 * * *', 'Africa/Cairo', '2026-04-23T12:00:00Z'],
    ['0 0 * * *', 'America/Santiago', '2026-09-05T12:00:00Z'],
    ['0 0 * * *', 'America/Havana', '2026-10-31T12:00:00Z'],
  ]) {
    const runs = [
      await getNextMillis(Date.parse(from), { pattern, tz }),
      Number(new Cron(pattern, { timezone: tz, paused: true }).nextRun(new Date(from))),
      new CronTime(pattern, tz).getNextDateFrom(DateTime.fromISO(from).setZone(tz), tz).toMillis(),
    ].map((ms) => new Date(ms).toISOString().slice(5, 16));
    console.log(`${pattern} in ${tz} after ${from.slice(0, 10)}: BullMQ ${runs[0]}, croner ${runs[1]}, cron ${runs[2]} (UTC)`);
    seen.push(runs[0]);
    if (runs[1] !== runs[2] || Date.parse(`2026-${runs[1]}Z`) - Date.parse(from) > 86_400_000) throw new Error('croner or cron have changed');
  }
  if (seen.join() !== '03-29T01:30,04-24T21:00,04-24T21:30,09-07T03:00,11-01T05:00') throw new Error('the behaviour has changed');
})();
JS
node runs.cjs
