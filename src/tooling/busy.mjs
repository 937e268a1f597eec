/** Shows that something is under way: installing may take minutes in which nothing else is printed. */
import { performance } from 'node:perf_hooks';
import { spawn } from 'node:child_process';
import { clearInterval, setInterval } from 'node:timers';

/** On a terminal the line moves each second; in a log a new one from time to time will do. */
const terminalEveryMs = 1_000;
const logEveryMs = 15_000;
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Says what is done while `work` is under way, and how long it has taken.
 * @template T
 * @param {string} what such as `installing npm packages`
 * @param {() => Promise<T>} work
 * @param {NodeJS.WriteStream} [stream]
 * @returns {Promise<T>}
 */
export async function busy(what, work, stream = process.stderr) {
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  const line = () => `setup: ${what} …${seconds() > 0 ? ` ${seconds()} s` : ''}`;
  stream.write(stream.isTTY ? line() : `${line()}\n`);
  const timer = setInterval(
    () => stream.write(stream.isTTY ? `\r${line()}` : `${line()}\n`),
    stream.isTTY ? terminalEveryMs : logEveryMs,
  );
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (stream.isTTY) stream.write(`\r${line()}\n`);
  }
}

/**
 * Runs a command to its end, keeping what it prints. Its end is awaited when this process is asked to end, which then ends
 * as it was asked: nothing is left running.
 * @param {readonly string[]} command
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [cwd]
 * @returns {Promise<{ ok: boolean, output: string }>} whether it ended with status 0, and both its streams
 */
export function run([program, ...args], env, cwd) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env, cwd });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
    let told;
    const tell = (signal) => {
      told ??= signal;
      child.kill('SIGTERM');
    };
    for (const signal of endSignals) process.on(signal, tell);
    const end = (ok) => {
      for (const signal of endSignals) process.off(signal, tell);
      if (told !== undefined) process.kill(process.pid, told);
      else resolve({ ok, output });
    };
    child.once('error', (error) => {
      output += error.message;
      end(false);
    });
    child.once('close', (code) => end(code === 0));
  });
}
