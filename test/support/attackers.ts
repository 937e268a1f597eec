import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { endProcess, messageOf } from './measured-process.js';

export interface Attackers {
  /** Begins to send one attack after the other from each. */
  attack(): Promise<void>;
  /** Ends that once the last ones are answered; the least that one of them has sent. */
  rest(): Promise<number>;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('attacker.ts', import.meta.url));

/** Shops, by their keys, that send what costs most. */
export function startAttackers(url: string, keys: readonly string[]): Attackers {
  const children: ChildProcess[] = keys.map((key, at) =>
    fork(PROGRAM, [url, key, String(at * 5)], { execArgv: ['--import', 'tsx'] }),
  );
  const tell = (message: 'start' | 'stop'): Promise<{ sent: number }[]> =>
    Promise.all(
      children.map((child) => {
        const answered = messageOf<{ sent: number }>(child);
        child.send(message);
        return answered;
      }),
    );
  const started = Promise.all(children.map((child) => messageOf(child)));
  started.catch(() => undefined); // told by the first attack
  return {
    async attack() {
      await started;
      await tell('start');
    },
    async rest() {
      return Math.min(...(await tell('stop')).map(({ sent }) => sent));
    },
    async stop() {
      await Promise.all(children.map(endProcess));
    },
  };
}
