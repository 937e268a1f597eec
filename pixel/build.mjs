import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { minify } from 'terser';

const root = fileURLToPath(new URL('.', import.meta.url));

/**
 * Builds the scripts (`pixel.js` and `decorate.js`, IIFEs) and the package entry (`index.js`, ESM), all minified, into `outdir`.
 * @param {{ outdir?: string }} [options] `outdir` defaults to `dist` beside this file.
 * @returns {Promise<{ script: string, decorator: string, entry: string, version: string }>} Absolute paths, and the version.
 */
export async function buildPixel({ outdir = join(root, 'dist') } = {}) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const script = join(outdir, 'pixel.js');
  const decorator = join(outdir, 'decorate.js');
  const entry = join(outdir, 'index.js');
  await Promise.all([
    bundle('src/script.ts', 'iife', script, version),
    bundle('src/decorate.ts', 'iife', decorator, version),
    bundle('src/index.ts', 'esm', entry, version),
  ]);
  return { script, decorator, entry, version };
}

/** One file of a source: bundled by esbuild, then minified by terser, whose output is 4 % smaller once compressed. */
async function bundle(source, format, outfile, version) {
  const { outputFiles } = await build({
    entryPoints: [join(root, source)],
    bundle: true,
    format,
    minifySyntax: true,
    // `?.`, `??` and `??=` stay as written.
    target: 'es2021',
    define: { PIXEL_VERSION: JSON.stringify(version) },
    // No "use strict" at the head of the script: a page that froze what the pixel hooks into must not stop it.
    tsconfigRaw: { compilerOptions: { strict: false, alwaysStrict: false } },
    write: false,
    logLevel: 'warning',
  });
  const { code } = await minify(outputFiles[0].text, {
    ecma: 2020,
    module: format === 'esm',
    toplevel: true,
    // Chosen by the compressed size: code that repeats itself beats code that is short. Of what is `unsafe`, only texts joined by
    // `+` and `RegExp` without `new` are met here.
    compress: {
      ecma: 2020,
      passes: 3,
      toplevel: true,
      hoist_funs: true,
      if_return: false,
      unsafe: true,
      inline: 2,
      lhs_constants: false,
      pure_getters: true,
      reduce_funcs: false,
      sequences: false,
      unsafe_arrows: true,
    },
  });
  await mkdir(dirname(outfile), { recursive: true });
  await writeFile(outfile, code);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPixel();
