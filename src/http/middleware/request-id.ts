import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { routeOf } from '../../telemetry/request-metrics.js';
import { workingFor } from '../../telemetry/work-context.js';
import { traceIdOf } from './trace.js';

const OWN_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id of a request where it has the right form, else a new one. */
export function requestIdOf(req: IncomingMessage): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && OWN_ID.test(given) ? given : randomUUID();
}

/** Every response carries `X-Request-Id`; what a request asks of the warehouse carries it too. */
export const requestId: RequestHandler = (req, res, next) => {
  const id = requestIdOf(req);
  putRequestId(res, id, traceIdOf(req, id));
  const tell = () => ({ route: `${req.method} ${routeOf(req)}`, request_id: id, trace_id: traceIdIn(res) });
  workingFor(tell, next);
};

function putRequestId(res: Response, id: string, traceId: string): void {
  noteIds(res, id, traceId);
  res.setHeader('X-Request-Id', id);
}

/** For the log; the header is the caller's. */
export function noteIds({ locals }: Response, id: string, traceId: string): void {
  locals.requestId = id;
  locals.traceId = traceId;
}

export const requestIdIn = (res: Response): string => String(res.locals.requestId);
export const traceIdIn = (res: Response): string => String(res.locals.traceId);
