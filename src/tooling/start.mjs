/** `npm start`: reads `.env`, makes the machine ready, builds, and runs the service until Ctrl-C. */
import { buildOrExit } from './build.mjs';
import { loadEnvFileOrExit } from './env-file.mjs';
import { setUpOrExit } from './setup.mjs';

loadEnvFileOrExit();
await setUpOrExit({ env: process.env });
await buildOrExit();
const { runSupervisor } = await import('../../dist/src/embedded/supervisor/run-supervisor.js');
process.exit(await runSupervisor(process.env));
