import type { RequestHandler } from 'express';

/** A page may read every answer, its id, and how long to wait before it sends the same again. */
export const ANY_ORIGIN = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
} as const;

/** Lets pages of any origin read every answer, errors too. Credentials are never asked for. */
export const anyOrigin: RequestHandler = (_req, res, next) => {
  res.set(ANY_ORIGIN);
  next();
};

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Content-Encoding, X-Request-Id, Traceparent',
  'Access-Control-Max-Age': '86400',
  'Cache-Control': 'public, max-age=86400',
};

/** Answers the CORS preflight of a browser. */
export const preflight: RequestHandler = (_req, res) => {
  res.writeHead(204, PREFLIGHT).end();
};
