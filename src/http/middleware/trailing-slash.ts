import type { RequestHandler } from 'express';

/**
 * Sends `/docs/` to `/docs`: the addresses within a page are relative to it, and would be others behind a slash. Relative
 * itself, so that it works below a path of a proxy.
 */
export const withoutTrailingSlash: RequestHandler = (req, res, next) => {
  if (!req.path.endsWith('/')) {
    next();
    return;
  }
  const name = req.path.split('/').at(-2) ?? '';
  res.redirect(301, `../${name}${req.url.slice(req.path.length)}`);
};
