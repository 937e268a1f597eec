/** `npm start`: makes the machine ready, builds, and runs the service until Ctrl-C. */
import { buildOrExit } from './build.mjs';
import { setUpOrExit } from './setup.mjs';

setUpOrExit({ env: process.env });
await buildOrExit();
const { runSupervisor } = await import('../../dist/src/embedded/run-supervisor.js');
process.exit(await runSupervisor(process.env));
