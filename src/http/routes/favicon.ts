import { readFileSync } from 'node:fs';
import type { Router } from 'express';
import { sourceFile } from '../../paths.js';
import { pageHeaders } from '../middleware/page-headers.js';

/** `GET /favicon.ico`: the icon of every page, which browsers also ask for besides answers that name none. */
export function faviconRoutes(router: Router): void {
  const icon = readFileSync(sourceFile('http/pages/favicon.ico'));
  router.get('/favicon.ico', pageHeaders, (_req, res) => {
    res.setHeader('Cache-Control', 'public, max-age=86400');
    res.type('image/x-icon').send(icon);
  });
}
