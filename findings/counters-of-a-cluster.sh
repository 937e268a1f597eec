#!/usr/bin/env bash
# The metrics of several processes on one port, gathered by prom-client 15.1.3 (npm), AggregatorRegistry: a counter of requests and the delay of
# the event loop, which prom-client measures itself.
# Expected: what a process counted stays in the sum when it ends, and a process that is held up can be seen.
# Seen: the sum is that of the processes that live: 800, 500 when one ends, 500 when another has taken its place. The delay is the average of all:
# 0.9 s in one of three is 0.3 s. With a label of its own for each process, all stay as they were.
# Why it matters: Prometheus takes a fall of a counter for a new start from 0, so the rate jumps by all that the others ever counted, and the share
# of failed requests becomes that of their whole life. An alert on delays above 0.5 s never fires for one process of several.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent prom-client@15.1.3
cat >cluster.cjs <<'JS'
const cluster = require('node:cluster');
const { once } = require('node:events');
const { AggregatorRegistry, Counter, register, collectDefaultMetrics } = require('prom-client');
const COUNTED = { 1: 300, 2: 250, 3: 250, 4: 0 };
const LAG = 'nodejs_eventloop_lag_p99_seconds';

async function first() {
  const all = new AggregatorRegistry();
  const start = async (slot) => {
    const process = cluster.fork({ SLOT: slot });
    await once(process, 'message');
    return process;
  };
  const told = async (name) =>
    [...(await all.clusterMetrics()).matchAll(new RegExp(`^${name}({.*})? (.*)$`, 'gm'))].map(([, , value]) => Number(value)).join(' ');
  const seen = [];
  const one = await start(1);
  await Promise.all([start(2), start(3)]);
  seen.push(await told('requests'), await told(LAG));
  one.kill();
  await once(one, 'exit');
  seen.push(await told('requests'));
  await start(4);
  seen.push(await told('requests'));
  console.log(`requests ${seen[0]}, one ends ${seen[2]}, another starts ${seen[3]}; delay ${seen[1]}`);
  if (seen.join() !== '800,0.3,500,500') throw new Error('the behaviour has changed');
  process.exit();
}

function other() {
  new AggregatorRegistry();
  const { SLOT } = process.env;
  collectDefaultMetrics();
  new Counter({ name: 'requests', help: 'requests' }).inc(COUNTED[SLOT]);
  // The gauge as prom-client made it, with a value that does not depend on this machine.
  const lag = register.getSingleMetric(LAG);
  lag.collect = () => lag.set(SLOT === '1' ? 0.9 : 0);
  register.getSingleMetric('nodejs_eventloop_lag_seconds').collect = () => undefined;
  process.send('ready');
}

if (cluster.isPrimary) void first();
else other();
JS
node cluster.cjs
