import { setTimeout as sleep } from 'node:timers/promises';
import { within, type Engine, type EngineLog } from './engine.js';
import { lockFolder } from '../supervisor/folder-lock.js';

/** Of an engine that does nothing: one that is seen to read its data back is waited for as long as it goes on. */
const PATIENCE_MS = 60_000;
const LONGEST_MS = 30 * 60_000;
const SAY_MS = 5_000;
const STOP_MS = 3_000;
const ATTEMPTS = 4;

/** An engine that was launched but may not serve yet. */
export interface Launched {
  engine: Engine;
  /** Whether it serves; may reject while no one listens. */
  answers: () => Promise<boolean>;
  /** What it is doing at its start, with how far it is; undefined: nothing that takes long. */
  progress?: () => Promise<string | undefined>;
}

export interface BringUpOptions {
  log: EngineLog;
  /** Aborted when the engine is not needed any more. */
  stop?: AbortSignal | undefined;
}

/** False if the engine ended before it answered. Throws if it does neither in time, or is to stop. */
async function comesUp({ engine, answers, progress }: Launched, { log, stop }: BringUpOptions): Promise<boolean> {
  const began = performance.now();
  let activeAt = began;
  let saidAt = began - SAY_MS;
  let known: string | undefined;
  while (performance.now() < Math.min(activeAt + PATIENCE_MS, began + LONGEST_MS)) {
    if (await within(engine.exited, known === undefined ? 25 : 250)) return false;
    if (stop?.aborted === true) {
      engine.process.kill('SIGTERM');
      if (!(await within(engine.exited, STOP_MS))) engine.process.kill('SIGKILL');
      stop.throwIfAborted();
    }
    if (await answers().catch(() => false)) return true;
    const now = await progress?.().catch(() => undefined);
    if (now === undefined || now === known) continue;
    known = now;
    activeAt = performance.now();
    if (activeAt - saidAt < SAY_MS) continue;
    saidAt = activeAt;
    log.warn({}, now);
  }
  engine.process.kill('SIGKILL');
  throw new Error(`not ready after ${Math.round((performance.now() - began) / 1000)} s\n${engine.lastWords()}`);
}

/**
 * Launches an engine on a folder, which it locks, and waits until it answers. If another program took the port, it launches again, which
 * chooses new ports. Throws if another process has the folder, and if the engine does not start.
 */
export async function bringUp<T extends Launched>(
  name: string,
  dataDir: string,
  options: BringUpOptions,
  launch: () => Promise<T>,
): Promise<T> {
  const unlock = lockFolder(dataDir);
  try {
    for (let attempt = 1; ; attempt++) {
      const launched = await launch();
      if (await comesUp(launched, options)) {
        void launched.engine.exited.then(unlock);
        return launched;
      }
      const output = launched.engine.lastWords();
      if (attempt === ATTEMPTS || !output.includes('Address already in use')) throw new Error(output);
      options.log.warn({ attempt, output }, `${name} lost its port to somebody else: trying again`);
      await sleep(300);
    }
  } catch (error) {
    unlock();
    throw new Error(`${name} did not start`, { cause: error });
  }
}
