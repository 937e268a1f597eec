/**
 * `npm run --silent profit -- COMMAND`: the command line, with the environment of `.env`, set up and built first where that is needed. Standard output
 * carries nothing but the command's own.
 */
import { fileURLToPath } from 'node:url';
import { buildOrExit } from './build.mjs';
import { loadEnvFileOrExit } from './env-file.mjs';
import { setUpOrExit } from './setup.mjs';

loadEnvFileOrExit();
await setUpOrExit({ env: process.env, packagesOnly: true });
await buildOrExit();
process.setSourceMapsEnabled(true);
const main = new URL('../../dist/src/cli/main.js', import.meta.url);
process.argv[1] = fileURLToPath(main);
await import(main.href);
