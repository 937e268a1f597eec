import { Router, type Request, type RequestHandler } from 'express';
import { nothingAt } from '../middleware/errors.js';
import { pageHeaders, sendText } from '../middleware/page-headers.js';
import { withoutTrailingSlash } from '../middleware/trailing-slash.js';
import { ownAddress } from '../own-address.js';
import { buildDocument } from '../openapi/document.js';
import { OPERATIONS } from '../openapi/operations.js';
import { docsSite } from '../pages/docs-site.js';
import { VERSION } from '../version.js';

/** Addresses of programs, whose errors are JSON for browsers too. */
const OF_PROGRAMS = /^\/(v1|mcp|app|assets)(\/|$)/;

/** Addresses of a service in examples. */
const EXAMPLES = ['https://profit.example.com', 'http://127.0.0.1:3000'];

/** Examples work as they are copied: they have the address at which they are read. */
function withOwnAddress(text: string, req: Request): string {
  const own = ownAddress(req);
  return own === undefined ? text : EXAMPLES.reduce((filled, example) => filled.replaceAll(example, () => own), text);
}

const PATHS = ['/docs{/}', '/docs.md', '/docs/*page', '/bi{/}', '/bi.md', '/bi/*file', '/llms.txt'];

/**
 * The documentation: guides and the reference below `GET /docs`, `/bi` for analysts, each as a page and, with `.md` at the end, as
 * Markdown, and the files for tools; `/llms.txt` lists them.
 *
 * @returns what answers a browser at any address where nothing is: the page of the documentation that says so
 */
export function docsRoutes(router: Router): RequestHandler {
  let site: ReturnType<typeof docsSite> | undefined;
  const open = () => (site ??= docsSite(buildDocument(OPERATIONS, VERSION)));
  const wantsPage = (req: Request): boolean => req.accepts(['json', 'html']) === 'html';
  const sendMissing: RequestHandler = async (_req, res) => {
    const { type, text } = (await open()).missing;
    res.status(404).vary('Accept');
    sendText(res, type, text);
  };
  const answer: RequestHandler = async (req, res, next) => {
    const page = (await open()).pages.get(req.path.slice(1));
    if (page !== undefined) sendText(res, page.type, withOwnAddress(page.text, req));
    else if (wantsPage(req)) await sendMissing(req, res, next);
    else throw nothingAt(req);
  };
  for (const path of PATHS) router.get(path, withoutTrailingSlash, pageHeaders, answer);

  const elsewhere = Router();
  elsewhere.get('/*path', pageHeaders, sendMissing);
  return (req, res, next) => {
    if (wantsPage(req) && !OF_PROGRAMS.test(req.path)) elsewhere(req, res, next);
    else next();
  };
}
