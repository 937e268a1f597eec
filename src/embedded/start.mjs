/** `npm start`: makes the machine ready, builds, and runs the service until Ctrl-C. */
import { build } from './build.mjs';
import { setUpOrExit } from './setup.mjs';

setUpOrExit({ env: process.env });
await build().catch((error) => {
  console.error(`build: ${error.message}`);
  process.exit(1);
});
const { runSupervisor } = await import('../../dist/src/embedded/run-supervisor.js');
process.exit(await runSupervisor(process.env));
