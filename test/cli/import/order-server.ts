import { createServer, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { listening } from '../../support/listening.js';

/** One order as these tests push it. */
export interface PushedOrder {
  order_id: string;
  reject?: boolean;
  supersede?: boolean;
  [field: string]: unknown;
}

/** A request as the server got it. */
export interface SeenRequest {
  index: number;
  path: string;
  authorization: string | undefined;
  bytes: number;
  text: string;
  orders: PushedOrder[];
}

/** What a test wants in place of the usual answer: another answer, or the connection cut. */
export type Instead = { status: number; body?: unknown; headers?: Record<string, string> } | 'cut' | undefined;

/** A server that speaks the part of the contract that an import sees; it keeps what it accepted. */
export interface OrderServer {
  url: string;
  seen: SeenRequest[];
  accepted: Map<string, PushedOrder>;
  mostAtOnce: number;
  close(): Promise<void>;
}

/** @param instead asked before every answer; may wait */
export async function startOrderServer(
  instead: (request: SeenRequest) => Instead | Promise<Instead> = () => undefined,
  port = 0,
): Promise<OrderServer> {
  let atOnce = 0;
  const server = createServer((request, response) => {
    atOnce++;
    state.mostAtOnce = Math.max(state.mostAtOnce, atOnce);
    void answer(request)
      .then(({ status, body, headers = {} }) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      })
      .catch(() => request.socket.destroy())
      .finally(() => atOnce--);
  });

  async function answer(request: IncomingMessage): Promise<Exclude<Instead, 'cut' | undefined>> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString();
    const { orders } = (text === '' ? { orders: [] } : JSON.parse(text)) as { orders: PushedOrder[] };
    const { authorization } = request.headers;
    const seen = { index: state.seen.length, path: request.url ?? '', authorization, bytes: raw.length, text, orders };
    state.seen.push(seen);
    const other = await instead(seen);
    if (other === 'cut') throw new Error('cut');
    return other ?? { status: 200, body: take(orders) };
  }

  function take(orders: PushedOrder[]): unknown {
    const results = orders.map((order) => {
      if (order.supersede) return { order_id: order.order_id, outcome: 'superseded' };
      const errors = [
        { code: 'sum_mismatch', message: 'The total does not match.', computed: '1.00', supplied: '2.00' },
      ];
      if (order.reject) return { order_id: order.order_id, outcome: 'rejected', errors };
      state.accepted.set(order.order_id, order);
      return { order_id: order.order_id, outcome: 'accepted' };
    });
    const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
    return { accepted: count('accepted'), rejected: count('rejected'), superseded: count('superseded'), results };
  }

  const { url, stop: close } = await listening(server, port);
  const state: OrderServer = { url, close, seen: [], accepted: new Map(), mostAtOnce: 0 };
  return state;
}

/** The service's error body. */
export function refusal(status: number, code: string, message: string, headers?: Record<string, string>): Instead {
  return { status, body: { errors: [{ code, message }], request_id: 'r1' }, ...(headers && { headers }) };
}
