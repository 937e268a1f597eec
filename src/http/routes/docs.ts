import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Router } from 'express';
import { nothingAt } from '../middleware/errors.js';
import { DOCS_INIT, DOCS_STYLE, docsPage } from '../pages/docs-page.js';
import { pageHeaders, sendText } from '../middleware/page-headers.js';
import { withoutTrailingSlash } from '../middleware/trailing-slash.js';

const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');
const ASSETS = new Set(['swagger-ui.css', 'swagger-ui-bundle.js']);

/** `GET /docs` shows the OpenAPI document without asking any other host. */
export function docsRoutes(router: Router): void {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const page = docsPage(`docs/assets/${version}`);

  router.get('/docs', withoutTrailingSlash, pageHeaders, (_req, res) => {
    sendText(res, 'html', page);
  });

  router.get('/docs/init.js', pageHeaders, (_req, res) => {
    sendText(res, 'text/javascript', DOCS_INIT);
  });

  router.get('/docs/style.css', pageHeaders, (_req, res) => {
    sendText(res, 'css', DOCS_STYLE);
  });

  // The version is part of the address, so that a browser may keep what it has for good.
  router.get('/docs/assets/:version/:name', pageHeaders, (req, res) => {
    const { name } = req.params;
    if (req.params.version !== version || !ASSETS.has(name)) throw nothingAt(req);
    res.sendFile(join(dirname(manifest), name), { maxAge: '1y', immutable: true, dotfiles: 'allow' });
  });
}
