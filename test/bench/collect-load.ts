import { connect } from 'node:net';
import { eventBodies, type EventBodies } from '../support/generated-events.js';

export interface CollectLoadOrder extends EventBodies {
  port: number;
  token: string;
  seed: number;
  requests: number;
  connections: number;
  /** Absent: as many as the connections take. */
  perSecond?: number;
}

export interface CollectLoadResult {
  seconds: number;
  /** Milliseconds from the first byte of a request to its answer. */
  p50: number;
  p99: number;
}

/**
 * The load process of the collector: writes ready-made bytes to plain sockets, one request at a time on each, because an
 * HTTP client costs more than the server that it would measure. Ends with an error on any answer but 204.
 */
process.on('message', (order: CollectLoadOrder) => {
  void run(order).then((result) => process.send?.(result));
});

async function run({
  port,
  token,
  seed,
  requests,
  connections,
  perSecond = Infinity,
  ...bodies
}: CollectLoadOrder): Promise<CollectLoadResult> {
  const head = (length: number) =>
    `POST /v1/collect HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: https://shop.example.com\r\n` +
    'User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36\r\n' +
    `Content-Type: text/plain;charset=UTF-8\r\nContent-Length: ${length}\r\n\r\n`;
  const messages = eventBodies(seed, requests, token, bodies).map((body) =>
    Buffer.concat([Buffer.from(head(body.length)), body]),
  );
  const times: number[] = [];
  const startedAt = performance.now();
  const gapMs = 1000 / perSecond;
  let taken = 0;
  const due = (): number => startedAt + taken++ * gapMs;
  await Promise.all(Array.from({ length: connections }, () => sendAll(port, messages, times, due)));
  const seconds = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? NaN;
  return { seconds, p50: at(0.5), p99: at(0.99) };
}

/** @param due when the next request may be sent */
function sendAll(port: number, messages: Buffer[], times: number[], due: () => number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let sentAt = 0;
    const next = (): void => {
      const message = messages.pop();
      if (message === undefined) {
        socket.end();
        resolve();
        return;
      }
      const wait = due() - performance.now();
      if (wait >= 1) setTimeout(() => send(message), wait);
      else send(message);
    };
    const send = (message: Buffer): void => {
      sentAt = performance.now();
      socket.write(message);
    };
    let answer = '';
    socket.setNoDelay(true);
    socket.on('connect', next);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (!answer.endsWith('\r\n\r\n')) return;
      if (!answer.startsWith('HTTP/1.1 204 ')) throw new Error(`the collector answered ${answer.slice(0, 500)}`);
      answer = '';
      times.push(performance.now() - sentAt);
      next();
    });
  });
}
