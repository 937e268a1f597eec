import type { RequestHandler, Router } from 'express';
import { nothingAt } from '../middleware/errors.js';
import { pageHeaders, sendText } from '../middleware/page-headers.js';
import { withoutTrailingSlash } from '../middleware/trailing-slash.js';
import { buildDocument } from '../openapi/document.js';
import { OPERATIONS } from '../openapi/operations.js';
import { docsSite } from '../pages/docs-site.js';
import { VERSION } from '../version.js';

const PATHS = ['/docs{/}', '/docs.md', '/docs/*page', '/bi{/}', '/bi.md', '/bi/*file', '/llms.txt'];

/**
 * The documentation: guides and the reference below `GET /docs`, `/bi` for analysts, each as a page and, with `.md` at the end, as
 * Markdown, and the files for tools; `/llms.txt` lists them.
 */
export function docsRoutes(router: Router): void {
  let site: ReturnType<typeof docsSite> | undefined;
  const answer: RequestHandler = async (req, res) => {
    const { pages, missing } = await (site ??= docsSite(buildDocument(OPERATIONS, VERSION)));
    const page = pages.get(req.path.slice(1));
    if (page === undefined && req.accepts(['json', 'html']) !== 'html') throw nothingAt(req);
    const { type, text } = page ?? missing;
    if (page === undefined) res.status(404);
    sendText(res, type, text);
  };
  for (const path of PATHS) router.get(path, withoutTrailingSlash, pageHeaders, answer);
}
