import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { echo, isRequestError, requestError, RequestError } from '../../errors.js';
import type { ErrorBody } from '../../schemas/errors.js';
import { requestFields } from './access-log.js';
import { requestIdIn } from './request-id.js';
import { PROBLEM_TYPE, toProblem, wantsProblem } from './problem.js';

/** Answers a failure with the error body of the contract, or as RFC 9457 has it where the client asks for that. */
export function sendError(res: Response, error: RequestError): void {
  if (error.retryAfter !== undefined) res.setHeader('Retry-After', String(error.retryAfter));
  res.locals.errorCode = error.errors[0].code;
  if (error.status === 401) res.setHeader('WWW-Authenticate', 'Bearer');
  const body: ErrorBody = { errors: [...error.errors], request_id: requestIdIn(res) };
  res.status(error.status).vary('Accept');
  if (!wantsProblem(res.req.headers.accept)) {
    res.json(body);
    return;
  }
  res.setHeader('Content-Type', PROBLEM_TYPE);
  res.end(JSON.stringify(toProblem(error, body)));
}

/** A path with an empty part is mostly one whose id was lost: of `/v1/orders/#1001` clients send what is before the `#`. */
export function nothingAt({ path }: Pick<Request, 'path'>): RequestError {
  const hint =
    path !== '/' && path.split('/').slice(1).includes('')
      ? ' A part of the path is empty: paths have no trailing slash, and an id in a path is percent-encoded (#1001 is %231001).'
      : '';
  return requestError('not_found', `There is nothing at ${echo(path)}.${hint}`);
}

/** What no route answered. */
export const notFound: RequestHandler = (req, res) => {
  sendError(res, nothingAt(req));
};

/** A known path with another method. */
export function methodNotAllowed(...allowed: string[]): RequestHandler {
  return (req, res) => {
    res.setHeader('Allow', allowed.join(', '));
    sendError(
      res,
      requestError('method_not_allowed', `${req.method} is not allowed here; use ${allowed.join(' or ')}.`),
    );
  };
}

/**
 * The last handler: known failures as they are, unknown ones as `internal`, with their cause in the log alone. A refusal
 * without a cause is an answer that was foreseen, such as a full queue or a push that is not yet in the figures: the access
 * log tells it, with its code.
 */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const known = toRequestError(error);
    if (known.status >= 500 && known.cause !== undefined) {
      log.error({ err: known.cause, ...requestFields(req, res) }, 'request failed');
    }
    sendError(res, known);
  };
}

function toRequestError(error: unknown): RequestError {
  if (isRequestError(error)) return error;
  // Express's own: a path with a broken percent-encoding.
  if (error instanceof URIError) return requestError('invalid_request', 'The path is not validly percent-encoded.');
  return new RequestError(
    [{ code: 'internal', message: 'Something broke on our side; it was logged under the request id.' }],
    undefined,
    {
      cause: error,
    },
  );
}
