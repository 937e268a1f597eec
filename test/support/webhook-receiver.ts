import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from './listening.js';

export interface Received {
  headers: Record<string, string>;
  payload: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test looks into any body
  body: any;
}

/** In place of a status: there is no answer. */
export const NEVER = 0;

export interface Receiver {
  url: string;
  received: Received[];
  /** What the next requests are answered, the last one for all further ones. */
  answers: number[];
  stop(): Promise<void>;
}

/** A receiver of webhooks on this machine. */
export async function startReceiver(port = 0, host?: string): Promise<Receiver> {
  const received: Received[] = [];
  const answers = [204];
  const server = createServer((req, res) => {
    void text(req).then((payload) => {
      const headers = Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
      received.push({ headers, payload, body: JSON.parse(payload) as unknown });
      const status = (answers.length > 1 ? answers.shift() : answers[0]) ?? 204;
      if (status === NEVER) return;
      res.writeHead(status, { Location: 'http://127.0.0.1:1/elsewhere' }).end();
    });
  });
  const { url, stop } = await listening(server, port, host);
  return { url, received, answers, stop };
}
