import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { routeOf } from '../../telemetry/request-metrics.js';
import { requestIdIn, traceIdIn } from './request-id.js';

/**
 * One line a request, when it is over: which route took it, how it ended, and the ids by which it is found in other logs.
 * Nothing of a header, a body, a query or a path stands in it: an id in a path may be anything.
 */
export function accessLog(log: Logger): RequestHandler {
  const line = (req: Request, res: Response, { responseTime }: { responseTime: number }) => ({
    ...told(req, res),
    ms: responseTime,
  });
  const write = pinoHttp<Request, Response>({
    logger: log,
    quietReqLogger: true,
    quietResLogger: true,
    // The library would make loggers that hold them; nobody asks for these.
    serializers: { req: () => undefined, res: () => undefined, reqId: () => undefined },
    genReqId: (_req, res) => requestIdIn(res),
    customLogLevel: (_req, res) => (res.statusCode >= 500 ? 'warn' : 'info'),
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
    customSuccessObject: line,
    customErrorObject: (req, res, _error, time: { responseTime: number }) => line(req, res, time),
  });
  return (req, res, next) => write(req, res, next);
}

function told(req: Request, res: Response): object {
  const { errorCode } = res.locals as { errorCode?: string };
  return {
    ...requestFields(req, res),
    status: res.statusCode,
    ...(errorCode !== undefined && { code: errorCode }),
    answered: res.writableFinished,
  };
}

/** By what the log tells requests apart, and which trace they belong to. */
export function requestFields(req: Request, res: Response) {
  return { request_id: requestIdIn(res), trace_id: traceIdIn(res), method: req.method, route: routeOf(req) };
}
