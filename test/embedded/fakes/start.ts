/** The supervisor as `npm start` runs it, with stand-ins for the services: `start.ts [fail]`. */
import { fileURLToPath } from 'node:url';
import { runSupervisor } from '../../../src/embedded/supervisor/run-supervisor.js';

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const commands = {
  migrate: [script('migrate.mjs'), ...process.argv.slice(2)],
  api: [script('api.mjs')],
  worker: [script('worker.mjs')],
  bi: ['--import', 'tsx', script('../../../src/embedded/bi-proxy/main.ts')],
};
process.exit(await runSupervisor(process.env, commands));
