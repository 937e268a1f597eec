import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { routeOf } from '../../telemetry/request-metrics.js';
import type { QueryTags } from '../../warehouse/client.js';
import { traceIdOf } from './trace.js';

const OWN_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id of a request where it has the right form, else a new one. */
export function requestIdOf(req: IncomingMessage): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && OWN_ID.test(given) ? given : randomUUID();
}

/** Every response carries `X-Request-Id`. */
export const requestId: RequestHandler = (req, res, next) => {
  const id = requestIdOf(req);
  putRequestId(res, id, traceIdOf(req, id));
  next();
};

/** By what the queries of a request are found in the logs of the warehouse. */
export function tagsOf(req: Request, res: Response): QueryTags {
  return { route: `${req.method} ${routeOf(req)}`, request_id: requestIdIn(res), trace_id: traceIdIn(res) };
}

function putRequestId(res: Response, id: string, traceId: string): void {
  noteIds(res, id, traceId);
  res.setHeader('X-Request-Id', id);
}

/** For the log; the header is the caller's. */
export function noteIds({ locals }: Response, id: string, traceId: string): void {
  locals.requestId = id;
  locals.traceId = traceId;
  locals.startedAt = performance.now();
}

export const requestIdIn = (res: Response): string => String(res.locals.requestId);
export const traceIdIn = (res: Response): string => String(res.locals.traceId);
/** As `performance.now()` counts. */
export const startedAtIn = (res: Response): number => Number(res.locals.startedAt);
