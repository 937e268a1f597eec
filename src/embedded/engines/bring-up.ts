import { setTimeout as sleep } from 'node:timers/promises';
import { within, type Engine, type EngineLog } from './engine.js';
import { lockFolder } from '../supervisor/folder-lock.js';

const patienceMs = 60_000;
const attempts = 4;

/** An engine that was launched and has yet to come up. */
export interface Launched {
  engine: Engine;
  /** Whether it serves by now; may reject while nobody listens. */
  answers: () => Promise<boolean>;
}

/** False when the engine ended before it answered. Throws when it does neither in time. */
async function comesUp({ engine, answers }: Launched): Promise<boolean> {
  for (const end = Date.now() + patienceMs; Date.now() < end;) {
    if (await within(engine.exited, 25)) return false;
    if (await answers().catch(() => false)) return true;
  }
  engine.process.kill('SIGKILL');
  throw new Error(`not ready after ${patienceMs / 1000} s\n${engine.lastWords()}`);
}

/**
 * Launches an engine on a folder that no other process may use meanwhile, and waits until it answers. Launches again,
 * which chooses ports anew, where somebody else took the port first.
 * Throws when another process has the folder, and when the engine does not come up.
 */
export async function bringUp<T extends Launched>(
  name: string,
  dataDir: string,
  log: EngineLog,
  launch: () => Promise<T>,
): Promise<T> {
  const unlock = lockFolder(dataDir);
  try {
    for (let attempt = 1; ; attempt++) {
      const launched = await launch();
      if (await comesUp(launched)) {
        void launched.engine.exited.then(unlock);
        return launched;
      }
      const output = launched.engine.lastWords();
      if (attempt === attempts || !output.includes('Address already in use')) throw new Error(output);
      log.warn({ attempt, output }, `${name} lost its port to somebody else: trying again`);
      await sleep(300);
    }
  } catch (error) {
    unlock();
    throw new Error(`${name} did not start`, { cause: error });
  }
}
