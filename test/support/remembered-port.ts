import { randomInt } from 'node:crypto';
import { isPortFree } from '../../src/embedded/engines/free-port.js';

const [FIRST, END] = [10_000, 20_000];
const MAX_TAKEN = 100;

/**
 * A port for a server that is stopped and started again. It is below those that `freePort` draws: another process of the tests would
 * take it as free while the server is down.
 */
export async function keptPort(): Promise<number> {
  for (let attempt = 0; attempt < MAX_TAKEN; attempt++) {
    const port = randomInt(FIRST, END);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no free port between ${FIRST} and ${END - 1}`);
}
