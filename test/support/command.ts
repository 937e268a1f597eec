import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const CLI = 'dist/src/cli/main.js';

/** Runs a built command as a process of its own, which is killed as soon as it is time; its status is null then. */
export async function runCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  isTime: (printed: string) => Promise<boolean> | boolean = () => false,
): Promise<{ status: unknown; out: string; err: string }> {
  const child = spawn(process.execPath, [CLI, ...args], { env });
  let out = '';
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  const ended = Promise.all([text(child.stderr), once(child, 'close')]);
  while (child.exitCode === null && !(await isTime(out))) await sleep(5);
  child.kill('SIGKILL');
  const [err, [status]] = await ended;
  return { status, out, err };
}
