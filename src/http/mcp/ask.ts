import { createServer, request } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Express, Response } from 'express';
import type { KeyRecord } from '../../domain/keys.js';
import { actAs } from '../middleware/authenticate.js';
import { noteCounted } from '../middleware/window-limit.js';
import { messagesOf } from '../server.js';

/** A read of the API by a key that is known already, and by a request that was counted. */
export interface InnerRead {
  path: string;
  record: KeyRecord;
  /** Of the request that it is a part of. */
  requestId: string;
  host: string;
  address: string;
}

export type AskApi = (read: InnerRead) => Promise<{ status: number; text: string }>;

/** Asks the application itself, as any client does but without a connection of the system: all that holds there holds here. */
export function createAskApi(app: Express): AskApi {
  const records = new WeakMap<Duplex, KeyRecord>();
  const server = createServer(messagesOf(app), (req, res) => {
    const record = records.get(req.socket);
    if (record === undefined) throw new Error('not a connection of this server');
    const exchange = Object.assign(res as unknown as Response, { locals: {} });
    actAs(exchange, record);
    noteCounted(exchange);
    app(req, res);
  });
  return async ({ path, record, requestId, host, address }) => {
    const [mine, its] = duplexPair();
    records.set(its, record);
    server.emit('connection', Object.assign(its, { remoteAddress: address }));
    const headers = { host, 'x-request-id': requestId, connection: 'close' };
    return new Promise((resolve, reject) => {
      request({ path, headers, createConnection: () => mine }, (answer) => {
        text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, text: body }), reject);
      })
        .on('error', reject)
        .end();
    });
  };
}
