import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';

const OWN_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id of a request where it has the right form, else a new one. */
export function requestIdOf(req: IncomingMessage): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && OWN_ID.test(given) ? given : randomUUID();
}

/** Every response carries `X-Request-Id`. */
export const requestId: RequestHandler = (req, res, next) => {
  putRequestId(res, requestIdOf(req));
  next();
};

export function putRequestId(res: Response, id: string): void {
  res.locals.requestId = id;
  res.setHeader('X-Request-Id', id);
}
