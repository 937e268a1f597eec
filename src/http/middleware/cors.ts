import type { RequestHandler } from 'express';

/** A page may read every answer, and how long to wait before it sends the same again. */
export const ANY_ORIGIN = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Retry-After',
} as const;

/** Lets pages of any origin read every answer, errors too. Credentials are never asked for. */
export const anyOrigin: RequestHandler = (_req, res, next) => {
  res.set(ANY_ORIGIN);
  next();
};

/** Answers the CORS preflight of a browser. */
export function preflight(...methods: string[]): RequestHandler {
  const headers = {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Content-Encoding, X-Request-Id',
    'Access-Control-Max-Age': '86400',
    'Cache-Control': 'public, max-age=86400',
  };
  return (_req, res) => {
    res.writeHead(204, headers).end();
  };
}
