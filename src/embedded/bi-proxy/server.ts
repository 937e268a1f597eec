import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { clickHouseQuery, type ClickHouseAddress } from '../engines/clickhouse-query.js';
import { withoutSecrets } from '../../telemetry/logger.js';
import { forward, type ProxiedEngine } from './forward.js';
import {
  ENGINE_AWAY,
  NOT_PLAIN,
  TOO_MANY_OF_USER,
  TOO_MANY_QUERIES,
  badRequest,
  refuse,
  type Refusal,
} from './refusal.js';
import { createStatementCheck } from './statement.js';
import { createSignIn, credentialsOf } from './sign-in.js';
import { createTurns } from './turns.js';

export interface BiProxyOptions {
  engine: ProxiedEngine;
  /** Folder that keeps the BI users. */
  dataDir: string;
  /** How long a query waits for those of its user that run. */
  waitMs?: number;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** The engine parses a statement of this size within seconds, and nothing ends that earlier; users send no rows. */
const MAX_BYTES = 256 * 1024;
/** Most queries at the engine; less than the engine's own limit for the whole service. */
const MAX_QUERIES = 60;
/**
 * Queries of one user: so many run, and so many more wait for so long, since a dashboard sends its queries at once. They count from the
 * sign-in on, so that slow bodies can't block other users.
 */
const MAX_OF_USER = { running: 3, waiting: 20 };
const WAIT_MS = 30_000;
const MAX_CONNECTIONS = 1_024;
/** Connections on which no one has signed in. The oldest one beyond is closed, so that they keep no one out. */
const MAX_UNKNOWN = 256;
const PING_MS = 1_000;

/**
 * The reverse proxy between BI tools and the embedded engine. It forwards a request only after it has read, parsed and authenticated it
 * completely, and writes a new one for the engine. It refuses everything else.
 */
export function createBiProxy({ engine, dataDir, log, waitMs = WAIT_MS }: BiProxyOptions): Server {
  const signIn = createSignIn(dataDir, (user) =>
    log.warn({ user: withoutSecrets(user) }, 'a sign-in of a BI tool was refused'),
  );
  const isUp = createPing(engine);
  const check = createStatementCheck(engine);
  let underWay = 0;
  const turns = createTurns({ ...MAX_OF_USER, waitMs });
  // The engine checks a statement as the service itself, outside of what BI queries may take: one at a time of each user.
  const checks = createTurns({ running: 1, waiting: MAX_OF_USER.running, waitMs: WAIT_MS });
  const unknown = new Set<Socket>();

  const checked = async (user: string, statement: string, gone: AbortSignal): Promise<Refusal | undefined> => {
    const place = checks.admit(user);
    if (place === undefined) return TOO_MANY_OF_USER;
    try {
      if (!(await place.turn(gone))) return TOO_MANY_OF_USER;
      return await check(statement).catch(() => ENGINE_AWAY);
    } finally {
      place.leave();
    }
  };

  /** Resolves to the reason why a query is refused, or to undefined after it was answered. */
  const query = async (
    req: IncomingMessage,
    res: ServerResponse,
    path: string,
    params: URLSearchParams,
  ): Promise<Refusal | undefined> => {
    const credentials = credentialsOf(req.headers, params);
    const account = await signIn(credentials, req.socket.remoteAddress ?? '');
    if ('status' in account) return account;
    const { name: user } = account;
    unknown.delete(req.socket);
    const place = turns.admit(user);
    if (place === undefined) return TOO_MANY_OF_USER;
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    try {
      if (!isPlain(req.headers, params)) return NOT_PLAIN;
      const sent = await readBody(req);
      if (sent === undefined) return badRequest(`A statement may have ${MAX_BYTES} bytes.`, 413);
      if (!(await place.turn(gone.signal))) return TOO_MANY_OF_USER;
      if (underWay >= MAX_QUERIES) return TOO_MANY_QUERIES;
      underWay++;
      try {
        // As the engine joins them; what was checked is what it gets.
        const statement = [...params.getAll('query').slice(0, 1), sent.toString()]
          .filter((part) => part !== '')
          .join('\n');
        const closed = await checked(user, statement, gone.signal);
        if (closed !== undefined) return closed;
        for (const name of ['user', 'password', 'query']) params.delete(name);
        if ((params.get('query_id') ?? '') === '') params.set('query_id', randomUUID());
        req.method = 'POST';
        await forward(req, res, engine, { path, params, body: Buffer.from(statement), account });
      } finally {
        underWay--;
      }
      return undefined;
    } finally {
      place.leave();
    }
  };
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<Refusal | undefined> => {
    if (!URL.canParse(req.url ?? '', 'http://bi')) return badRequest('The address is not one.');
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://bi');
    const isGet = req.method === 'GET' || req.method === 'HEAD';
    const asksForPing = pathname === '/' && searchParams.size === 0 && req.headers['x-clickhouse-user'] === undefined;
    if (isGet && (pathname === '/ping' || (asksForPing && req.headers.authorization === undefined))) {
      if (!(await isUp())) return ENGINE_AWAY;
      res.end('Ok.\n');
    } else if (req.method === 'GET' && pathname === '/play') {
      const page = { path: '/play', params: new URLSearchParams(), body: Buffer.alloc(0) };
      await forward(req, res, engine, page);
    } else if (req.method === 'OPTIONS') {
      res.writeHead(204, { Allow: 'GET, POST' }).end();
    } else if (pathname !== '/') {
      return badRequest('There are / for queries, /ping and /play.', 404);
    } else if (req.method !== 'GET' && req.method !== 'POST') {
      return { ...badRequest('Queries come by GET and POST.', 405), headers: { Allow: 'GET, POST' } };
    } else {
      return query(req, res, pathname, searchParams);
    }
    return undefined;
  };

  const server = createServer(
    // Bounds how long a slow or silent client holds a connection.
    { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 35_000, connectionsCheckingInterval: 2_000 },
    (req, res) => {
      req.on('error', () => undefined);
      res.on('error', () => undefined);
      answer(req, res)
        .then((refusal) => {
          if (refusal !== undefined) refuse(res, refusal);
        })
        .catch((error: unknown) => {
          // The client left in the middle of its request: not a fault of the proxy.
          if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET')
            log.error({ err: error }, 'a request of a BI tool failed');
          refuse(res, ENGINE_AWAY);
        })
        .finally(() => req.resume());
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', (socket) => {
    const [oldest] = unknown;
    if (unknown.size >= MAX_UNKNOWN) oldest?.destroy();
    unknown.add(socket);
    socket.once('close', () => unknown.delete(socket));
  });
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    else socket.destroy();
  });
  return server;
}

/** Whether the body is the text of a statement as it is: other bodies would hide it from the check. */
const isPlain = (headers: IncomingHttpHeaders, params: URLSearchParams): boolean =>
  (headers['content-encoding'] ?? 'identity') === 'identity' &&
  (params.get('decompress') ?? '0') === '0' &&
  !/multipart/i.test(headers['content-type'] ?? '');

/** The whole body; undefined if it is too long. Throws if the client leaves before its end. */
async function readBody(req: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(req.headers['content-length'] ?? 0) > MAX_BYTES) return undefined;
  const parts: Buffer[] = [];
  let bytes = 0;
  const stream: AsyncIterable<Buffer> = req.iterator({ destroyOnReturn: false });
  for await (const part of stream) {
    bytes += part.length;
    if (bytes > MAX_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Whether the engine answers, asked once a second at most. */
function createPing(engine: ClickHouseAddress): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined;
  return () =>
    (asked ??= clickHouseQuery(engine, 'SELECT 1', 2_000)
      .then(
        () => true,
        () => false,
      )
      .finally(() => setTimeout(() => (asked = undefined), PING_MS).unref()));
}
