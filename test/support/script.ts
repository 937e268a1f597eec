import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';

/**
 * Runs a program of the tests as a process of its own, which is to end with status 0 in that time. What it prints is printed at
 * its end. It is ended with this process.
 */
export async function expectSuccess(
  program: string,
  args: readonly string[],
  { maxMs }: { maxMs: number },
): Promise<void> {
  const command = [...(program.endsWith('.ts') ? ['--import', 'tsx'] : []), program, ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (): void => void child.kill();
  process.once('exit', kill);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
  const late = setTimeout(kill, maxMs);
  const [status] = await once(child, 'close');
  clearTimeout(late);
  process.removeListener('exit', kill);
  console.log(said.trimEnd().replace(/^/gm, '      '));
  expect(status, said).to.equal(0);
}
