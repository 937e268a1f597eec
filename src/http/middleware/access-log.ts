import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { traceIdOf } from './trace.js';

/**
 * One line a request, at level `debug`: a busy service answers thousands a second. Paths stand in it without their query,
 * and nothing of a header or a body.
 */
export function accessLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    if (!log.isLevelEnabled('debug')) {
      next();
      return;
    }
    const begin = process.hrtime.bigint();
    const { path, method } = req;
    res.once('close', () => {
      const ms = Number((process.hrtime.bigint() - begin) / 1_000n) / 1_000;
      const answered = res.writableFinished;
      log.debug({ ...requestFields(req, res), method, path, status: res.statusCode, ms, answered }, 'request');
    });
    next();
  };
}

/** By what the log tells requests apart, and which trace they belong to. */
export function requestFields(req: Request, res: Response): { request_id: string; trace_id?: string } {
  const traceId = traceIdOf(req);
  return { request_id: String(res.locals.requestId), ...(traceId !== null && { trace_id: traceId }) };
}
