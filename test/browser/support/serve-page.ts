import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { listening } from '../../support/listening.js';

/** A request as a test server saw it. */
export interface SeenRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Epoch milliseconds. */
  at: number;
}

export interface Site {
  /** For example `http://127.0.0.1:41234`. */
  origin: string;
  port: number;
  /** Every request so far, in order. */
  requests: SeenRequest[];
  close: () => Promise<void>;
}

/** One answer of a site: the body, its type (default HTML) and further headers. */
export interface Resource {
  body: string;
  type?: string;
  headers?: Record<string, string>;
  /** Milliseconds after the body until the answer ends. */
  endsAfter?: number;
}

/**
 * Serves pages by path from a port of its own. A path that is not listed gets the page of `*`, else 404.
 * @param host The name in `origin`; the server itself listens on the loopback address only.
 */
export async function servePage(pages: Record<string, string | Resource>, host = '127.0.0.1'): Promise<Site> {
  return serve(host, ({ url }) => {
    const page = pages[url.replace(/[?#].*/, '')] ?? pages['*'];
    return typeof page === 'string' ? { body: page } : page;
  });
}

/** Starts a loopback server that records what it is asked. An `answer` of undefined is 404, of `'cut'` a closed connection. */
export async function serve(
  host: string,
  answer: (request: SeenRequest) => (Resource & { status?: number }) | 'cut' | undefined,
): Promise<Site> {
  const requests: SeenRequest[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { method = '', url = '', headers } = request;
      const seen = { method, url, headers, body, at: Date.now() };
      requests.push(seen);
      const found = answer(seen);
      if (found === 'cut') {
        request.socket.destroy();
        return;
      }
      const { body: text = '', type = 'text/html; charset=utf-8', status = found ? 200 : 404 } = found ?? {};
      response.writeHead(status, { 'content-type': type, ...found?.headers });
      if (found?.endsAfter === undefined) response.end(status === 204 ? undefined : text);
      else response.write(text, () => setTimeout(() => response.end(), found.endsAfter));
    });
  };
  const { port, stop: close } = await listening(createServer(listener));
  return { origin: `http://${host}:${port}`, port, requests, close };
}
