import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Counter, type Registry } from 'prom-client';
import { WAIT_BUCKETS } from './registry.js';
import { TalliedHistogram, type Tally } from './tallied-histogram.js';

/** What the router has left on a request, and an error handler on its answer. */
interface Routed extends IncomingMessage {
  route?: { path: unknown };
}
interface Answered extends ServerResponse {
  locals?: { errorCode?: unknown };
}

/** Requests of one route and outcome. */
interface Count {
  labels: { method: string; route: string; status: string; code: string };
  requests: number;
  seconds: Tally;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Counts requests by route, outcome and time. A route is recognized by its pattern as it is in the code (`/v1/orders/:order_id`),
 * so that no client can make up labels.
 */
export function observeRequests(server: Server, register: Registry): void {
  const counts = new Map<string, Count>();
  const tallies = new Map<string, Tally>();
  new Counter({
    name: 'profit_http_requests_total',
    help: 'Answered requests by route, status and error code of the contract (empty where there is none)',
    labelNames: ['method', 'route', 'status', 'code'],
    registers: [register],
    collect() {
      this.reset();
      for (const { labels, requests } of counts.values()) this.inc(labels, requests);
    },
  });
  const seconds = new TalliedHistogram({
    name: 'profit_http_request_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['method', 'route'],
    buckets: WAIT_BUCKETS,
    register,
  });
  const aborted = new Counter({
    name: 'profit_http_aborted_total',
    help: 'Requests whose client left before the answer',
    labelNames: ['route'],
    registers: [register],
  });

  const open = (key: string, labels: Count['labels']): Count => {
    const { method, route } = labels;
    const tally = tallies.get(`${method} ${route}`) ?? seconds.open({ method, route });
    tallies.set(`${method} ${route}`, tally);
    const count = { labels, requests: 0, seconds: tally };
    counts.set(key, count);
    return count;
  };

  server.on('request', (req: Routed, res: Answered) => {
    const began = performance.now();
    res.once('close', () => {
      const method = req.method !== undefined && METHODS.has(req.method) ? req.method : 'OTHER';
      const route = routeOf(req);
      if (!res.writableFinished) {
        aborted.inc({ route });
        return;
      }
      const code = codeOf(res);
      const key = `${method} ${res.statusCode} ${code} ${route}`;
      const count = counts.get(key) ?? open(key, { method, route, status: String(res.statusCode), code });
      count.requests++;
      seconds.add(count.seconds, (performance.now() - began) / 1_000);
    });
  });
}

/** The pattern of the route that took a request; `none` where there was no such route. */
export function routeOf({ route }: Routed): string {
  return typeof route?.path === 'string' ? route.path : 'none';
}

function codeOf({ locals }: Answered): string {
  return typeof locals?.errorCode === 'string' ? locals.errorCode : '';
}
