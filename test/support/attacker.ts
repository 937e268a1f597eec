import { setPriority } from 'node:os';
import { attacks, sendAttack } from './attacks.js';

/**
 * A shop that sends one attack after the other, in a process of its own: it must not hold up the clients that are measured.
 * It gives way to all others on the processors, because here they work for the service too. Arguments: address, key, and
 * the attack to begin with. Messages: `start`, and `stop`, which is answered when the last attack was.
 */
const [url = '', key = '', first = '0'] = process.argv.slice(2);
const all = attacks();
let next = Number(first);
let sent = 0;
let isOver = true;
let done = Promise.resolve();

async function attack(): Promise<void> {
  for (sent = 0; !isOver; sent++) {
    const one = all[next++ % all.length];
    if (one !== undefined) await sendAttack(url, key, one);
  }
}

const tell = (): void => void process.send?.({ sent });
setPriority(19);
process.once('disconnect', () => process.exit());
process.on('message', (message: 'start' | 'stop') => {
  isOver = message === 'stop';
  if (isOver) {
    void done.then(tell);
    return;
  }
  done = attack();
  tell();
});
tell();
