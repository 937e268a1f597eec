import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';

const OWN_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Every response carries `X-Request-Id`: the caller's own where it has the right form. */
export const requestId: RequestHandler = (req, res, next) => {
  const given = req.headers['x-request-id'];
  const id = typeof given === 'string' && OWN_ID.test(given) ? given : randomUUID();
  res.locals.requestId = id;
  res.setHeader('X-Request-Id', id);
  next();
};
