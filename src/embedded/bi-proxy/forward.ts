import { once } from 'node:events';
import { ServerResponse, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProxyServer } from 'httpxy';
import { literal } from '../../warehouse/sql.js';
import type { Account } from '../engines/bi-users.js';
import { clickHouseQuery, type ClickHouseAddress } from '../engines/clickhouse-query.js';
import { PROXY_KEY_HEADER } from '../engines/proxy-key.js';
import { ENGINE_AWAY, badRequest, refuse } from './refusal.js';

/** The embedded engine, as the service itself, and the key that lets requests of BI tools reach its sign-in. */
export interface ProxiedEngine extends ClickHouseAddress {
  /** Of the engine as it was started last. */
  proxyKey(): Promise<string>;
}

/** A new request for the engine, made from the parsed request of the client. */
export interface Forwarded {
  path: string;
  params: URLSearchParams;
  body: Buffer;
  /** Absent for pages that need none. */
  account?: Account;
}

/** Headers of a client that the engine gets. */
const PASSED = ['accept', 'user-agent'] as const;
const PASSED_OF_CLICKHOUSE = ['x-clickhouse-database', 'x-clickhouse-format', 'x-clickhouse-timezone'] as const;
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding'];
/** They count what the engine read, rows of other shops besides the own ones included. */
const COUNTS = ['x-clickhouse-summary', 'x-clickhouse-progress'];
const DROPPED = new Set([...HOP_BY_HOP, ...COUNTS, 'content-length']);
/**
 * What asks the engine to hold an answer back until it has all of it: it puts it into a file, and what a full disk does not take is missing
 * in an answer of status 200. Such an answer is streamed instead, so that what can't be sent breaks the connection.
 */
const HELD_BACK = ['wait_end_of_query', 'http_wait_end_of_query'];
/** As much as the service has held for itself (`statement-settings.ts`). */
const HELD_BYTES = String(16 * 1024 * 1024);
/** Begins a line of a format such as `JSONEachRowWithProgress` that counts what was read. */
const PROGRESS = '{"progress"';
/** A client that reads nothing for this long counts as gone; less than the engine's own 30 s. */
const STALL_MS = 20_000;
/** Longer than the longest silent query. */
const ENGINE_SILENCE_MS = 150_000;
const KILL_EVERY_MS = 1_000;

/**
 * Forwards a request and its answer. When the client leaves, its query is stopped, and the answer is still read to its end, so that the
 * engine never sees an aborted connection. Resolves when the engine has finished.
 */
export async function forward(
  req: IncomingMessage,
  res: ServerResponse,
  engine: ProxiedEngine,
  { path, params, body, account }: Forwarded,
): Promise<void> {
  const done = new AbortController();
  const queryId = params.get('query_id');
  res.once('close', () => {
    if (!res.writableFinished && queryId !== null && account !== undefined) {
      void killUntil(done.signal, engine, queryId, account.name);
    }
  });
  const search = (account === undefined ? params : streamed(params)).toString();
  req.url = search === '' ? path : `${path}?${search}`;

  const proxy = createProxyServer({
    target: engine.url,
    agent: false,
    selfHandleResponse: true,
    proxyTimeout: ENGINE_SILENCE_MS,
    buffer: Readable.from([body], { objectMode: false }),
  });
  // The library aborts its request when its response closes, so it gets a response that never closes.
  const lasting = new ServerResponse(req);
  try {
    req.headers = headersFor(req.headers, engine.url, await engine.proxyKey(), body, account);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      proxy.on('proxyRes', resolve);
      proxy.on('error', reject);
      proxy.web(req, lasting).catch(reject);
    });
    const hasProgress = /Progress$/i.test(String(answer.headers['x-clickhouse-format']));
    if (hasProgress && params.get('compress') === '1') {
      await finished(answer.resume());
      refuse(res, badRequest('Formats with progress are sent without compress=1 alone.'));
    } else {
      await deliver(answer, hasProgress ? withoutProgress(answer) : answer, res);
    }
  } catch {
    if (res.headersSent) res.destroy();
    else refuse(res, ENGINE_AWAY);
  } finally {
    done.abort();
  }
}

/** The parameters for an answer of which no more is held back than memory takes: an error before that still has its own status. */
function streamed(params: URLSearchParams): URLSearchParams {
  const wanted = new URLSearchParams([...params].filter(([name]) => !HELD_BACK.includes(name)));
  // Said in each request, because a session may have it set.
  wanted.set('http_wait_end_of_query', '0');
  if (HELD_BACK.some((name) => params.has(name))) wanted.set('http_response_buffer_size', HELD_BYTES);
  return wanted;
}

/** Streams the answer to the client, and reads it to its end even if the client is gone. */
async function deliver(answer: IncomingMessage, parts: AsyncIterable<Buffer>, res: ServerResponse): Promise<void> {
  if (!res.destroyed) res.writeHead(answer.statusCode ?? 502, headersBack(answer.headers));
  for await (const part of parts) {
    if (res.destroyed || res.write(part)) continue;
    const taken = new AbortController();
    await Promise.race([
      once(res, 'drain', { signal: taken.signal }).catch(() => undefined),
      once(res, 'close', { signal: taken.signal }).catch(() => undefined),
      sleep(STALL_MS, undefined, { signal: taken.signal }).then(
        () => res.destroy(),
        () => undefined,
      ),
    ]);
    taken.abort();
  }
  // A truncated answer must not look complete.
  if (answer.complete) res.end();
  else res.destroy();
}

/** The lines of an answer but those of progress, of which no more is held back than what tells them apart. */
async function* withoutProgress(answer: IncomingMessage): AsyncGenerator<Buffer> {
  let held = '';
  let isDropped: boolean | undefined;
  const parts: AsyncIterable<Buffer> = answer;
  for await (const part of parts) {
    let kept = '';
    for (const piece of part.toString('latin1').split(/(?<=\n)/)) {
      held += piece;
      const isEnd = piece.endsWith('\n');
      if (held.length >= PROGRESS.length || isEnd) isDropped ??= held.startsWith(PROGRESS);
      if (isDropped === undefined) continue;
      if (!isDropped) kept += held;
      held = '';
      if (isEnd) isDropped = undefined;
    }
    yield Buffer.from(kept, 'latin1');
  }
  yield Buffer.from(held, 'latin1');
}

async function killUntil(done: AbortSignal, engine: ClickHouseAddress, queryId: string, user: string): Promise<void> {
  const kill = `KILL QUERY WHERE query_id = ${literal(queryId)} AND user = ${literal(user)} ASYNC`;
  while (!done.aborted) {
    // Repeated, because the query may not have begun yet.
    await clickHouseQuery(engine, kill, 5_000).catch(() => undefined);
    await sleep(KILL_EVERY_MS, undefined, { signal: done }).catch(() => undefined);
  }
}

function headersFor(
  sent: IncomingHttpHeaders,
  url: string,
  proxyKey: string,
  body: Buffer,
  account: Account | undefined,
): IncomingHttpHeaders {
  const passed = [...PASSED, ...PASSED_OF_CLICKHOUSE].flatMap((name) => {
    const value = sent[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return {
    ...Object.fromEntries(passed),
    host: new URL(url).host,
    'content-length': String(body.length),
    [PROXY_KEY_HEADER.toLowerCase()]: proxyKey,
    ...(account && { 'x-clickhouse-user': account.name, 'x-clickhouse-key': account.password }),
  };
}

function headersBack(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !DROPPED.has(name)));
}
