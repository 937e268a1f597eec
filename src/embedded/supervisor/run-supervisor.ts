import { supervise } from './supervisor.js';
import type { ServiceCommands } from './services.js';

/** npm passes on the Ctrl-C that the terminal has sent to everybody already: within this time it is the same one. */
const ECHO_MS = 500;

/**
 * Runs the service until SIGINT, SIGTERM or SIGHUP, and resolves to the status to exit with. A second signal kills
 * everything at once. SIGUSR2 restarts the embedded ClickHouse.
 */
export async function runSupervisor(env: NodeJS.ProcessEnv, commands?: ServiceCommands): Promise<number> {
  const stop = new AbortController();
  let stoppedAt = 0;
  const terminal = { out: (line: string) => console.log(line), err: (line: string) => console.error(line) };
  const supervisor = supervise({ env, terminal, stop: stop.signal, commands });
  const onSignal = () => {
    if (!stop.signal.aborted) {
      stoppedAt = performance.now();
      stop.abort();
    } else if (performance.now() - stoppedAt > ECHO_MS) {
      supervisor.kill();
      process.exit(130);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  process.on('SIGUSR2', () => {
    supervisor.restartClickHouse().catch((error: unknown) => console.error('ClickHouse did not come back', error));
  });
  return supervisor.done;
}
