/** The supervisor as `npm start` runs it, with stand-ins for the services: `start.mjs [fail]`. */
import { fileURLToPath } from 'node:url';
import { runSupervisor } from '../../../dist/src/embedded/supervisor/run-supervisor.js';

const script = (name) => fileURLToPath(new URL(name, import.meta.url));
const commands = {
  migrate: [script('migrate.mjs'), ...process.argv.slice(2)],
  api: [script('api.mjs')],
  worker: [script('worker.mjs')],
  bi: [script('../../../dist/src/embedded/bi-proxy/main.js')],
};
process.exit(await runSupervisor(process.env, commands));
