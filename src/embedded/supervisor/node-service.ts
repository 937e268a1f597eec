import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { follow, stoppable, type Engine, type Exit, type Running } from '../engines/engine.js';
import { sourceFile } from '../../paths.js';
import type { ServiceLog } from './service-log.js';

export interface NodeServiceOptions {
  /** The script and its arguments; options of Node may stand before it. */
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  log: ServiceLog;
}

/** Starts a script of the service in a process group of its own; it ends when this process does. */
export function spawnNode(options: NodeServiceOptions): Engine {
  const guard = pathToFileURL(sourceFile('embedded/supervisor/parent-guard.mjs')).href;
  const child = spawn(process.execPath, ['--enable-source-maps', '--import', guard, ...options.command], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: options.env,
  });
  return follow(child, (lines, from) => options.log.write(lines, from));
}

/**
 * Starts a long-running script. `stop` sends SIGTERM, and kills after `stopMs`. `onExit` is called with the end of its
 * output when it ends by itself.
 */
export function startNodeService(
  options: NodeServiceOptions & { stopMs: number; onExit: (exit: Exit, lastWords: string) => void },
): Running {
  const engine = spawnNode(options);
  const askToStop = () => engine.process.kill('SIGTERM');
  return stoppable(engine, askToStop, options.stopMs, (exit) => options.onExit(exit, engine.lastWords()));
}
