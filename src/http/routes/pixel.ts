import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Request, Response, Router } from 'express';
import { requestError } from '../../errors.js';
import { projectRoot } from '../../paths.js';
import { matchesEtag } from '../middleware/conditional.js';

/** The scripts as `npm run build` leaves them; compiled files stand in `dist` themselves. */
const BUILT = join(projectRoot(), 'dist', 'pixel');
/** A page picks a new version up within a day, and never waits for it. */
const LONG = 'public, max-age=86400, stale-while-revalidate=604800';
const FOR_GOOD = 'public, max-age=31536000, immutable';

type Encoding = 'br' | 'gzip' | 'identity';

interface Script {
  /** Changes with every byte of the script. */
  hash: string;
  bytes: Record<Encoding, Buffer>;
}

/**
 * `GET /pixel.js`, the browser script, and `GET /decorate.js`, for shops with hosts of several domains; and `GET /pixel.HASH.js`,
 * the same under a name that never changes its meaning.
 */
export function pixelRoutes(router: Router, folder: string = BUILT): void {
  for (const name of ['pixel', 'decorate']) {
    const script = readScript(join(folder, `${name}.js`));
    router.get(`/${name}.js`, (req, res) => {
      if (script === null) throw requestError('not_found', 'The pixel is not built: run npm run build.');
      res.setHeader('Content-Location', `/${name}.${script.hash}.js`);
      send(req, res, script, LONG);
    });
    router.get(`/${name}.:hash.js`, (req, res) => {
      if (script?.hash === req.params.hash) send(req, res, script, FOR_GOOD);
      // A page that pinned an earlier version must not lose its pixel when the service is updated.
      else res.setHeader('Cache-Control', 'no-store').redirect(302, `/${name}.js`);
    });
  }
}

function readScript(file: string): Script | null {
  let identity: Buffer;
  try {
    identity = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const bytes = { identity, gzip: gzipSync(identity, { level: 9 }), br: brotliCompressSync(identity) };
  return { hash: hash('sha256', identity).slice(0, 16), bytes };
}

function send(req: Request, res: Response, { hash, bytes }: Script, cacheControl: string): void {
  // The smallest that the browser takes, whatever is first in its list.
  const encoding = (['br', 'gzip'] as const).find((one) => req.acceptsEncodings(one) === one) ?? 'identity';
  const etag = `"${hash}-${encoding}"`;
  res.setHeader('ETag', etag);
  res.setHeader('Cache-Control', cacheControl);
  res.setHeader('Vary', 'Accept-Encoding');
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  if (matchesEtag(req.headers['if-none-match'], etag)) {
    res.status(304).end();
    return;
  }
  if (encoding !== 'identity') res.setHeader('Content-Encoding', encoding);
  res.setHeader('Content-Type', 'text/javascript; charset=utf-8');
  res.setHeader('Content-Length', bytes[encoding].length);
  res.end(bytes[encoding]);
}
