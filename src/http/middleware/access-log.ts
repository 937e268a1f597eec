import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { routeOf } from '../../telemetry/request-metrics.js';
import { requestIdIn, traceIdIn } from './request-id.js';

/**
 * One line a request, when it is over: which route took it, how it ended, and the ids by which it is found in other logs.
 * Nothing of a header, a body, a query or a path is in it: an id in a path may be anything.
 */
export function accessLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    const began = performance.now();
    res.once('close', () => {
      const { errorCode: code } = res.locals as { errorCode?: string };
      const line = {
        ...requestFields(req, res),
        status: res.statusCode,
        ...(code !== undefined && { code }),
        answered: res.writableFinished,
        ms: Math.round(performance.now() - began),
      };
      if (res.statusCode >= 500) log.warn(line, 'request');
      else log.info(line, 'request');
    });
    next();
  };
}

/** By what the log tells requests apart, and which trace they belong to. */
export function requestFields(req: Request, res: Response) {
  return { request_id: requestIdIn(res), trace_id: traceIdIn(res), method: req.method, route: routeOf(req) };
}
