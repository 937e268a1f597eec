import type { Router } from 'express';
import { pageHeaders } from '../../http/middleware/page-headers.js';
import { appFolder } from './assets.js';
import { preloadsOf } from './preloads.js';
import type { Sessions } from './session.js';

const page = (title: string, script: string, preloads: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Profit metrics</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="/assets/style.css">
${preloads.map((name) => `<link rel="modulepreload" href="/assets/${name}">\n`).join('')}<script type="module" src="/assets/${script}.js"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>This page needs JavaScript. Every figure is also in the API: see <a href="/docs">the documentation</a>.</p></noscript>
</body>
</html>
`;

/** `later`: how the files begin that most visits load after the script. */
const PAGES = [
  { path: ['/', '/shop/*rest'], title: 'Shops', script: 'app', later: ['app-figure-page-'] },
  { path: ['/developers'], title: 'Developers', script: 'developers', later: [] },
];

/** Those that need no session. */
const OPEN_PAGES = [
  { path: '/signin', title: 'Sign in', script: 'signin' },
  { path: '/join', title: 'Join', script: 'join' },
  { path: '/share', title: 'Shared figures', script: 'share' },
];

/** The documents of the app. `sessions` is null where no admin token is set: signing in is off then. */
export function pageRoutes(router: Router, sessions: Sessions | null, folder = appFolder()): void {
  for (const { path, title, script, later } of PAGES) {
    const html = page(title, script, preloadsOf(folder, `${script}.js`, later));
    router.get(path, pageHeaders, async (req, res) => {
      res.setHeader('Cache-Control', 'no-store');
      if (sessions === null || (await sessions.find(req)) === null) {
        res.redirect(303, `/signin?next=${encodeURIComponent(req.originalUrl)}`);
      } else res.type('html').send(html);
    });
  }

  for (const { path, title, script } of OPEN_PAGES) {
    const html = page(title, script, preloadsOf(folder, `${script}.js`));
    router.get(path, pageHeaders, (_req, res) => {
      res.setHeader('Cache-Control', 'no-store');
      // What opens these pages is in their address.
      res.setHeader('Referrer-Policy', 'no-referrer');
      res.setHeader('X-Robots-Tag', 'noindex');
      res.type('html').send(html);
    });
  }
}
