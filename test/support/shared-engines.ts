import { biUser } from '../../src/embedded/engines/bi-users.js';
import { BI_POOL, startBiProxy, type BiProxy } from './bi-proxy.js';
import { startEngines, type Engines } from './engines.js';

let started: Promise<Engines> | undefined;
let proxy: Promise<BiProxy> | undefined;

/** One real ClickHouse and one real Redis for all tests of a run, started by the first that asks. */
export function sharedEngines(): Promise<Engines> {
  return (started ??= startEngines(BI_POOL.map(biUser)));
}

/** The way of BI tools to the shared engine. */
export function sharedBiProxy(): Promise<BiProxy> {
  return (proxy ??= sharedEngines().then((engines) => startBiProxy(engines, BI_POOL)));
}

export async function stopEngines(): Promise<void> {
  await (await proxy)?.stop();
  const engines = await started;
  started = proxy = undefined;
  await engines?.stop();
}
