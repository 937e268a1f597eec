import { startEngines, type Engines } from './engines.js';

let started: Promise<Engines> | undefined;

/** One real ClickHouse and one real Redis for all tests of a run, started by the first that asks. */
export function sharedEngines(): Promise<Engines> {
  return (started ??= startEngines());
}

export async function stopEngines(): Promise<void> {
  const engines = await started;
  started = undefined;
  await engines?.stop();
}
