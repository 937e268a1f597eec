import { setTimeout as sleep } from 'node:timers/promises';
import { readIfThere, writePrivate } from '../../files.js';
import { freePort, isPortFree } from './free-port.js';
import type { EngineLog } from './engine.js';

/** A just killed predecessor may hold its port for a moment. */
const PATIENCE_MS = 3_000;

async function becomesFree(port: number, host: string): Promise<boolean> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isPortFree(port, host))) {
    if (performance.now() >= end) return false;
    await sleep(100);
  }
  return true;
}

/** The ports that a file keeps, by name; none where it is missing or damaged. */
export async function readPorts(file: string): Promise<Record<string, number>> {
  const ports: Record<string, number> = {};
  const kept = parse((await readIfThere(file)) ?? '{}') ?? {};
  for (const [name, port] of Object.entries(kept as Record<string, unknown>)) {
    if (typeof port === 'number' && Number.isInteger(port) && port > 0) ports[name] = port;
  }
  return ports;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * One free port for each name of `asked`. A number above 0 is taken as it is; undefined or 0 means a free port, chosen
 * once and kept in `file`, so that clients outside can rely on it. A remembered port that another program has taken since is
 * replaced, with a warning.
 * Throws when an asked port is taken.
 */
export async function keptPorts<Name extends string>(
  file: string,
  asked: Record<Name, number | undefined>,
  host: string,
  log: EngineLog,
): Promise<Record<Name, number>> {
  const kept = await readPorts(file);
  const chosen: Partial<Record<Name, number>> = {};
  for (const name of Object.keys(asked) as Name[]) {
    const wish = asked[name];
    const before = kept[name];
    if (wish) {
      if (!(await becomesFree(wish, host))) throw new Error(`port ${wish} (${name}) is taken by another program`);
      chosen[name] = wish;
    } else if (before !== undefined && (await becomesFree(before, host))) {
      chosen[name] = before;
    } else {
      do chosen[name] = await freePort(host);
      while (Object.entries(chosen).some(([other, port]) => other !== name && port === chosen[name]));
      if (before !== undefined)
        log.warn({ name, before, now: chosen[name] }, 'the remembered port is taken: another is used');
    }
  }
  await writePrivate(file, `${JSON.stringify({ ...kept, ...chosen }, null, 2)}\n`);
  return chosen as Record<Name, number>;
}
