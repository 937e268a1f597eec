/**
 * Builds `dist/`: every TypeScript file of src and workers transpiled on its own (types are checked elsewhere), other
 * files of theirs copied, the browser pixel and the pages of the app bundled. A file is replaced as a whole and only when
 * it changed, so a build beside a running service disturbs nothing.
 */
import { Buffer } from 'node:buffer';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { busy } from './busy.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');
const pages = join(root, 'src', 'console', 'web');
const stamp = join(dist, '.built');
const sources = ['src', 'workers', 'pixel/src', 'pixel/build.mjs', 'package.json'];

/** Every file and folder below a path, itself included; nothing when it isn't there. */
function* walk(path) {
  if (!existsSync(path)) return;
  yield path;
  if (!statSync(path).isDirectory()) return;
  for (const entry of readdirSync(path)) if (entry !== 'node_modules') yield* walk(join(path, entry));
}

const isFile = (path) => statSync(path).isFile();

/** Whether a source is newer than the last build. A deleted file shows in the time of its folder. */
function isStale() {
  if (!existsSync(stamp)) return true;
  const built = statSync(stamp).mtimeMs;
  return sources.some((source) => {
    for (const path of walk(join(root, source))) if (statSync(path).mtimeMs > built) return true;
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
      for (const path of [...walk(dist)].filter(isFile)) {
        if (written.has(path)) continue;
        const abandoned = Date.now() - statSync(path).mtimeMs > 60_000;
        if (!path.includes('.new') || abandoned) rmSync(path, { force: true });
      }
    },
  };
}

async function transpile(esbuild, outputs) {
  const files = ['src', 'workers'].flatMap((folder) => [...walk(join(root, folder))]);
  const own = files.filter((path) => isFile(path) && !path.startsWith(pages + '/') && !path.endsWith('.d.ts'));
  const entryPoints = own.filter((path) => path.endsWith('.ts'));
  if (entryPoints.length > 0) {
    const { outputFiles } = await esbuild.build({
      entryPoints,
      outdir: dist,
      outbase: root,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: true,
      write: false,
      logLevel: 'warning',
    });
    for (const file of outputFiles) outputs.write(file.path, file.contents);
  }
  for (const path of own.filter((path) => !/\.tsx?$/.test(path))) {
    outputs.write(join(dist, relative(root, path)), readFileSync(path));
  }
}

async function bundlePages(esbuild, outputs) {
  const files = existsSync(pages) ? readdirSync(pages) : [];
  const scripts = files.filter((name) => name.endsWith('.tsx'));
  // A style sheet that a script of the same name imports comes out beside that script.
  const styles = files.filter((name) => name.endsWith('.css') && !scripts.includes(`${basename(name, '.css')}.tsx`));
  const entryPoints = [...scripts, ...styles].map((name) => join(pages, name));
  if (entryPoints.length === 0) return;
  const { outputFiles } = await esbuild.build({
    entryPoints,
    outdir: join(dist, 'app'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'dataurl' },
    write: false,
    logLevel: 'warning',
  });
  for (const file of outputFiles) outputs.write(file.path, file.contents);
}

async function buildPixel(outputs) {
  const script = join(root, 'pixel', 'build.mjs');
  if (!existsSync(script)) return;
  const pixel = await import(script);
  const outdir = join(dist, `pixel.${process.pid}.new`);
  try {
    await pixel.buildPixel({ outdir });
    for (const path of [...walk(outdir)].filter(isFile)) {
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
  await Promise.all([transpile(esbuild, outputs), bundlePages(esbuild, outputs), buildPixel(outputs)]);
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
