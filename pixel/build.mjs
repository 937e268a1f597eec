import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('.', import.meta.url));

/**
 * Builds the script (`pixel.js`, an IIFE) and the package entry (`index.js`, ESM), both minified, into `outdir`.
 * @param {{ outdir?: string }} [options] `outdir` defaults to `dist` beside this file.
 * @returns {Promise<{ script: string, entry: string, version: string }>} Absolute paths of the two files, and the version.
 */
export async function buildPixel({ outdir = join(root, 'dist') } = {}) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const shared = {
    bundle: true,
    minify: true,
    // Optional chaining and `??` stay as written: every browser with `fetch keepalive` has them.
    target: 'es2020',
    define: { PIXEL_VERSION: JSON.stringify(version) },
    logLevel: 'warning',
  };
  const script = join(outdir, 'pixel.js');
  const entry = join(outdir, 'index.js');
  await Promise.all([
    build({ ...shared, entryPoints: [join(root, 'src/script.ts')], format: 'iife', outfile: script }),
    build({ ...shared, entryPoints: [join(root, 'src/index.ts')], format: 'esm', outfile: entry }),
  ]);
  return { script, entry, version };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPixel();
