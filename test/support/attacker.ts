import { setPriority } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { attacks, sendAttack } from './attacks.js';

/**
 * A shop that sends one attack after the other, in a process of its own: it must not hold up the clients that are measured.
 * It gives way to all others on the processors, and rests as long as each attack took, because here they work for the
 * service too. Arguments: address and key. Messages: `start`, and `stop`, which is answered when the last was answered.
 */
const [url = '', key = '', first = '0'] = process.argv.slice(2);
const all = attacks();
let next = Number(first);
let isOver = true;
let done = Promise.resolve();

async function attack(): Promise<void> {
  while (!isOver) {
    const startedAt = performance.now();
    const one = all[next++ % all.length];
    if (one !== undefined) await sendAttack(url, key, one);
    await setTimeout(performance.now() - startedAt);
  }
}

setPriority(19);
process.on('message', (message: 'start' | 'stop') => {
  isOver = message === 'stop';
  if (isOver) void done.then(() => process.send?.('idle'));
  else done = attack();
});
process.send?.('ready');
