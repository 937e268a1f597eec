/**
 * Builds `dist/`: a bundle for each process (types are checked elsewhere), with the files that it reads copied to their place in
 * the sources; the browser pixel, the pages of the app, and the converters and the client, which run elsewhere too. A file is
 * replaced as a whole and only when it changed, so a build while the service or another build runs disturbs nothing.
 */
import { Buffer } from 'node:buffer';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { busy } from './busy.mjs';
import { processBundles } from './process-bundles.mjs';
import { wireTypes } from './wire-types.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');
const pages = join(root, 'src', 'console', 'web');
const stamp = join(dist, '.built');
const sources = ['src', 'workers', 'pixel/src', 'pixel/build.mjs', 'package.json', 'package-lock.json'];

/** The names in a folder; none where another build has just removed it. */
function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Every file and folder below a path, itself included, with what the disk says of it; what isn't there is left out. */
function* walk(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  yield { path, stats };
  if (!stats.isDirectory()) return;
  for (const name of namesIn(path)) if (name !== 'node_modules') yield* walk(join(path, name));
}

const filesBelow = (path) => [...walk(path)].filter(({ stats }) => stats.isFile());

/** Whether a source is newer than the last build. A deleted file shows in the time of its folder. */
function isStale() {
  if (!existsSync(stamp)) return true;
  const built = statSync(stamp).mtimeMs;
  return sources.some((source) => {
    for (const { stats } of walk(join(root, source))) if (stats.mtimeMs > built) return true;
    return false;
  });
}

/** Collects the outputs of a build and writes those that changed. */
function createOutputs() {
  const written = new Set();
  return {
    write(path, contents) {
      written.add(path);
      const bytes = Buffer.from(contents);
      if (existsSync(path) && readFileSync(path).equals(bytes)) return;
      mkdirSync(dirname(path), { recursive: true });
      const fresh = `${path}.${process.pid}.new`;
      writeFileSync(fresh, bytes);
      renameSync(fresh, path);
    },
    /** Removes what earlier builds wrote and this one didn't; what another build may be just writing stays. */
    clean() {
      for (const { path, stats } of filesBelow(dist)) {
        if (written.has(path)) continue;
        const abandoned = Date.now() - stats.mtimeMs > 60_000;
        if (!path.endsWith('.new') || abandoned) rmSync(path, { force: true });
      }
    },
  };
}

async function bundleProcesses(esbuild, outputs) {
  const { outputFiles } = await esbuild.build(processBundles(root, dist));
  for (const file of outputFiles) {
    // What esbuild leaves of a CommonJS package that loads a module of Node: the process would end at its start.
    if (file.text.includes('Dynamic require of '))
      throw new Error(`${file.path} can't start: see EXTERNAL in process-bundles.mjs`);
    outputs.write(file.path, file.contents);
  }
}

/** What is read at run time: see `sourceFile` in src/paths.ts. */
function copyFiles(outputs) {
  for (const { path } of filesBelow(join(root, 'src'))) {
    if (path.startsWith(pages + '/') || /\.tsx?$|\.d\.m?ts$/.test(path)) continue;
    outputs.write(join(dist, relative(root, path)), readFileSync(path));
  }
}

async function bundlePages(esbuild, outputs) {
  const files = existsSync(pages) ? readdirSync(pages) : [];
  const scripts = files.filter((name) => name.endsWith('.tsx'));
  // A style sheet that a script of the same name imports comes out next to that script.
  const styles = files.filter((name) => name.endsWith('.css') && !scripts.includes(`${basename(name, '.css')}.tsx`));
  // Each page by itself, so that its parts are what it alone loads later.
  const builds = [...scripts, ...styles].map((name) =>
    esbuild.build({
      entryPoints: [join(pages, name)],
      outdir: join(dist, 'app'),
      bundle: true,
      minify: true,
      splitting: true,
      chunkNames: `${basename(name, extname(name))}-[name]-[hash]`,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      loader: { '.svg': 'dataurl' },
      write: false,
      logLevel: 'warning',
    }),
  );
  for (const { outputFiles } of await Promise.all(builds))
    for (const file of outputFiles) outputs.write(file.path, file.contents);
}

/** `dist/convert.mjs` and `dist/client.mjs`: without dependencies, for any runtime, with their types. */
async function bundlePackage(esbuild, outputs) {
  const { outputFiles } = await esbuild.build({
    entryPoints: {
      convert: join(root, 'src/convert/index.ts'),
      client: join(root, 'src/client/index.ts'),
    },
    outdir: dist,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    // Neither Node nor a browser: what only one of them has can't be resolved.
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    write: false,
    logLevel: 'warning',
  });
  for (const file of outputFiles) outputs.write(file.path, file.contents);
  for (const name of ['convert', 'client']) {
    outputs.write(join(dist, `${name}.d.mts`), readFileSync(join(root, 'src', name, `${name}.d.mts`)));
  }
}

/** The types of the wire that these two show, from the schemas that have just been built. */
async function writeWireTypes(outputs) {
  const built = pathToFileURL(join(dist, 'src/schemas/orders.js'));
  const { Order, OrderBatchResult } = await import(`${built.href}?${Date.now()}`);
  outputs.write(join(dist, 'wire.d.mts'), wireTypes({ Order, OrderBatchResult }));
}

async function buildPixel(outputs) {
  const script = join(root, 'pixel', 'build.mjs');
  if (!existsSync(script)) return;
  const pixel = await import(script);
  const outdir = mkdtempSync(join(tmpdir(), 'pixel-build-'));
  try {
    await pixel.buildPixel({ outdir });
    for (const { path } of filesBelow(outdir)) {
      outputs.write(join(dist, 'pixel', relative(outdir, path)), readFileSync(path));
    }
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

/** Builds everything. Throws when a source can't be built; esbuild has then said where on standard error. */
export async function build() {
  const startedAt = new Date();
  const esbuild = await import('esbuild');
  const outputs = createOutputs();
  await Promise.all([
    bundleProcesses(esbuild, outputs),
    bundlePages(esbuild, outputs),
    bundlePackage(esbuild, outputs),
    buildPixel(outputs),
  ]);
  copyFiles(outputs);
  await writeWireTypes(outputs);
  outputs.write(stamp, startedAt.toISOString());
  // The time before the sources were read: what was saved meanwhile counts as newer.
  utimesSync(stamp, startedAt, startedAt);
  outputs.clean();
  // Its service process would stay as long as this one.
  await esbuild.stop();
}

/**
 * {@link build} for a command, where a source is newer than the last build, which is then said. A failure ends the process
 * with status 1.
 */
export async function buildOrExit({ always = false } = {}) {
  if (!always && !isStale()) return;
  await (always ? build() : busy('building', build)).catch((error) => {
    console.error(`build: ${error.message}`);
    process.exit(1);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildOrExit({ always: true });
