/**
 * `npm run --silent profit -- COMMAND`: the command line, set up and built first where that is needed. Standard output
 * carries nothing but the command's own.
 */
import { fileURLToPath } from 'node:url';
import { build, isStale } from './build.mjs';
import { setUpOrExit } from './setup.mjs';

setUpOrExit({ env: process.env, packagesOnly: true });
if (isStale()) {
  await build().catch((error) => {
    console.error(`build: ${error.message}`);
    process.exit(1);
  });
}
process.setSourceMapsEnabled(true);
const main = new URL('../../dist/src/cli/main.js', import.meta.url);
process.argv[1] = fileURLToPath(main);
await import(main.href);
