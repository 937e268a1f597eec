import { setTimeout as sleep } from 'node:timers/promises';
import { within, type Engine, type EngineLog } from './engine.js';
import { lockFolder } from '../supervisor/folder-lock.js';

const PATIENCE_MS = 60_000;
const ATTEMPTS = 4;

/** An engine that was launched but may not serve yet. */
export interface Launched {
  engine: Engine;
  /** Whether it serves; may reject while nobody listens. */
  answers: () => Promise<boolean>;
}

/** False if the engine ended before it answered. Throws if it does neither in time. */
async function comesUp({ engine, answers }: Launched): Promise<boolean> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    if (await within(engine.exited, 25)) return false;
    if (await answers().catch(() => false)) return true;
  }
  engine.process.kill('SIGKILL');
  throw new Error(`not ready after ${PATIENCE_MS / 1000} s\n${engine.lastWords()}`);
}

/**
 * Launches an engine on a folder, which it locks, and waits until it answers. If another program took the port, it launches again, which
 * chooses new ports. Throws if another process has the folder, and if the engine does not start.
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
      if (attempt === ATTEMPTS || !output.includes('Address already in use')) throw new Error(output);
      log.warn({ attempt, output }, `${name} lost its port to somebody else: trying again`);
      await sleep(300);
    }
  } catch (error) {
    unlock();
    throw new Error(`${name} did not start`, { cause: error });
  }
}
