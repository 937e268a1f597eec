/** A stand-in for the worker: lives until SIGTERM. */
import { setInterval } from 'node:timers';

setInterval(() => undefined, 1_000);
process.on('SIGTERM', () => process.exit(0));
