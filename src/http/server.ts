import { randomUUID } from 'node:crypto';
import { createServer, IncomingMessage, ServerResponse, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import express, { type Express } from 'express';
import { RequestError, type ErrorDetail } from '../errors.js';
import type { ErrorBody } from '../schemas/errors.js';
import { doubledHeader } from './middleware/doubled-headers.js';

/**
 * Express gives every request and response its own prototype with `Object.setPrototypeOf`, which makes the engine drop
 * what it has learned of the objects' shape: three quarters of the time of a small request. Here the server creates its
 * messages from subclasses that already have Express's prototypes, and Express takes these for its prototypes,
 * so the call finds nothing to change.
 */
export function createExpress(): Express {
  const app = express();
  class Request extends IncomingMessage {}
  class Response extends ServerResponse<Request> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  app.request = Request.prototype as unknown as typeof app.request;
  app.response = Response.prototype as unknown as typeof app.response;
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  // As the routers. Strict: where a client drops an id, the path of one item must not become that of the list.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  classes.set(app, { IncomingMessage: Request, ServerResponse: Response as unknown as typeof ServerResponse });
  return app;
}

const classes = new WeakMap<
  Express,
  { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse }
>();

/** The classes of the messages of an app that {@link createExpress} made. */
export const messagesOf = (app: Express) => classes.get(app) ?? {};

export interface ServerOptions {
  maxConnections?: number;
  /** Milliseconds that a whole request may take to arrive. */
  requestMs?: number;
  /** Milliseconds without a byte either way after which a connection is closed: its client leaves the answer unread. */
  silentMs?: number;
}

/** Milliseconds that the head of a request may take to arrive, and that a connection may wait for its next one. */
const HEAD_MS = 10_000;
const IDLE_MS = 65_000;
/** Longer than any answer takes. */
const SILENT_MS = 60_000;

/**
 * Connections that the system keeps until a busy process takes them. Of a burst beyond Node's own 511, such as a thousand webhooks at once,
 * some were reset.
 */
export const BACKLOG = 4_096;

/** The HTTP server of an app that {@link createExpress} made. */
export function createExpressServer(
  app: Express,
  { maxConnections = 10_000, requestMs = 30_000, silentMs = SILENT_MS }: ServerOptions = {},
): Server {
  const times = {
    headersTimeout: Math.min(HEAD_MS, requestMs),
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(1_000, requestMs),
    keepAliveTimeout: IDLE_MS,
  };
  // Node's own answers to a request without Host and to an unknown Expect have neither a body nor X-Request-Id.
  const listener: RequestListener = (req, res) => {
    exchanges.set(req.socket, { req, res });
    const doubled = doubledHeader(req.rawHeaders);
    if (doubled !== null) refuseHead(res, `The request has more than one ${doubled} header; send one.`);
    else if (req.headers.host !== undefined || req.httpVersion === '1.0') app(req, res);
    else refuseHead(res, 'The request must have a Host header.');
  };
  const server = createServer({ ...messagesOf(app), ...times, requireHostHeader: false }, listener)
    .setTimeout(silentMs)
    .on('checkExpectation', listener)
    .on('clientError', refuse);
  let open = 0;
  // Counted here, because a server of several processes would pass a refused connection on among them for ever.
  server.on('connection', (socket) => {
    socket.once('close', () => open--);
    if (++open <= maxConnections) return;
    socket.destroy();
    server.closeIdleConnections(); // so that the next connection finds room
  });
  return server;
}

/** How long a client that is still sending has to read the refusal. */
const LAST_WORDS_MS = 1_000;

/** The newest request of each connection. */
const exchanges = new WeakMap<Duplex, { req: IncomingMessage; res: ServerResponse }>();

/** Answers what is not HTTP, too long in its head, or too slow, in the form of every other failure. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const detail = faultOf(error.code);
  if (detail.code !== 'request_timeout' || !failsReading(socket, detail)) write(socket, detail);
  setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
}

/** Whether someone reads the body of a request, and learns that it will not come: its route answers as it does every failure. */
function failsReading(socket: Duplex, detail: ErrorDetail): boolean {
  const exchange = exchanges.get(socket);
  if (exchange === undefined || exchange.req.complete || exchange.req.listenerCount('error') === 0) return false;
  exchange.res.shouldKeepAlive = false;
  exchange.req.emit('error', new RequestError([detail]));
  return true;
}

function write(socket: Duplex, detail: ErrorDetail): void {
  const { headers, body } = answerOf(detail);
  const status = detail.code === 'request_timeout' ? '408 Request Timeout' : '400 Bad Request';
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}

function refuseHead(res: ServerResponse, message: string): void {
  const { headers, body } = answerOf({ code: 'invalid_request', message });
  res.writeHead(400, headers).end(body);
}

function answerOf(detail: ErrorDetail) {
  const failure: ErrorBody = { errors: [detail], request_id: randomUUID() };
  const body = JSON.stringify(failure);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': failure.request_id,
    Connection: 'close',
  };
  return { headers, body };
}

function faultOf(code: string | undefined): ErrorDetail {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        code: 'request_timeout',
        message: 'The request took too long to arrive: send its head within 10 s, all of it within 30 s.',
      };
    case 'HPE_HEADER_OVERFLOW':
      return { code: 'invalid_request', message: 'The head of the request is too long.' };
    default:
      return { code: 'invalid_request', message: 'The request is not valid HTTP.' };
  }
}
