import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import fresh from 'fresh';

/**
 * Answers with a JSON text under a strong ETag, or 304 without a body when `If-None-Match` names it. Express's own check is
 * not used: it ignores `If-None-Match` together with `Cache-Control: no-cache`, which `fetch` adds by itself.
 */
export function sendConditional(req: Request, res: Response, json: string, cacheControl = 'private, no-cache'): void {
  const etag = `"${hash('sha256', json, 'base64url').slice(0, 27)}"`;
  res.setHeader('ETag', etag);
  res.setHeader('Cache-Control', cacheControl);
  if (cacheControl.startsWith('private')) res.setHeader('Vary', 'Authorization');
  if (matchesEtag(req.headers['if-none-match'], etag)) {
    res.status(304).end();
    return;
  }
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.end(json);
}

/** Whether an `If-None-Match` names an entity tag, by the weak comparison of RFC 9110, or is `*`. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  return fresh({ 'if-none-match': header }, { etag });
}
