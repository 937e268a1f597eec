import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Request, Response, Router } from 'express';
import { projectRoot } from '../../paths.js';
import { matchesEtag } from '../../http/middleware/conditional.js';
import { pageHeaders } from '../../http/middleware/page-headers.js';

interface Asset {
  type: string;
  bytes: Buffer;
  gzipped: Buffer;
  etag: string;
}

/** Where the build puts the scripts and styles of the pages. */
export const appFolder = (): string => join(projectRoot(), 'dist', 'app');

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** `GET /assets/NAME`: the built scripts and styles of the pages, held in memory, compressed once. */
export function assetRoutes(router: Router, folder = appFolder()): void {
  const assets = readAssets(folder);
  router.get('/assets/:name', pageHeaders, (req, res, next) => {
    const asset = assets.get(req.params.name);
    if (asset === undefined) next();
    else send(req, res, asset);
  });
}

/** Empty before the first build: every page then says that its script is missing. */
function readAssets(folder: string): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return assets;
    throw error;
  }
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const bytes = readFileSync(join(folder, name));
    const etag = `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
    assets.set(name, { type: `${type}; charset=utf-8`, bytes, gzipped: gzipSync(bytes, { level: 9 }), etag });
  }
  return assets;
}

function send(req: Request, res: Response, { type, bytes, gzipped, etag }: Asset): void {
  res.setHeader('ETag', etag);
  res.setHeader('Cache-Control', 'no-cache');
  res.setHeader('Vary', 'Accept-Encoding');
  if (matchesEtag(req.headers['if-none-match'], etag)) {
    res.status(304).end();
    return;
  }
  const gzip = req.acceptsEncodings('gzip') !== false;
  if (gzip) res.setHeader('Content-Encoding', 'gzip');
  res.setHeader('Content-Type', type);
  res.end(gzip ? gzipped : bytes);
}
