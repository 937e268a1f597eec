import { createServer, type Server } from 'node:http';
import { isIP } from 'node:net';
import type { Logger } from 'pino';

export interface MetricsServerOptions {
  host: string;
  /** Undefined: metrics are not offered. */
  port: number | undefined;
  log: Logger;
}

/** What is offered: a {@link Registry}, or those of all processes of a cluster. */
export interface MetricsSource {
  contentType: string;
  metrics(): Promise<string>;
}

/** Prometheus asks every some seconds, one question at a time. */
const MAX_CONNECTIONS = 20;

/**
 * `GET /metrics` on a port of its own, which is not for the world. A port that is taken is an error in the log: the service
 * is worth more than its metrics.
 */
export function serveMetrics(source: MetricsSource, { host, port, log }: MetricsServerOptions): Server | null {
  if (port === undefined) return null;
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (req, res) => {
    res.setHeader('X-Content-Type-Options', 'nosniff');
    if (!isOwnHost(req.headers.host, host)) {
      res
        .writeHead(403)
        .end(
          'Ask by an IP address, METRICS_HOST, a name without a dot, or one that ends in .svc, .cluster.local or .internal.\n',
        );
      return;
    }
    if (req.url?.split('?', 1)[0] !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { Allow: 'GET, HEAD' }).end();
      return;
    }
    source.metrics().then(
      (text) => res.writeHead(200, { 'Content-Type': source.contentType }).end(req.method === 'HEAD' ? '' : text),
      (error: unknown) => {
        log.warn({ err: error }, 'the metrics could not be read');
        res.writeHead(503).end();
      },
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('error', (error) => log.error({ err: error, host, port }, 'the metrics server cannot listen'));
  server.listen(port, host);
  server.unref();
  return server;
}

/** Names that the public DNS never has: without a dot, and of networks of their own, such as those of Kubernetes. */
const OWN_NAME = /^(?:[\w-]+|[\w.-]+\.(?:svc|cluster\.local|internal))$/i;

/** False for a name of the public DNS: by one that leads to this machine, a web page could read the metrics. */
function isOwnHost(header: string | undefined, own: string): boolean {
  const [, name = ''] = /^\[?([^\]]*?)\]?(?::\d+)?$/.exec(header ?? '') ?? [];
  return name !== '' && (isIP(name) !== 0 || name.toLowerCase() === own.toLowerCase() || OWN_NAME.test(name));
}
