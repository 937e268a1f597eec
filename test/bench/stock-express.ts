import type { AddressInfo } from 'node:net';
import express from 'express';

/** What collecting is held against: Express as it comes, which lets the body run by and answers 204. */
process.once('message', () => {
  const app = express();
  app.post('/v1/collect', (_request, response) => {
    response.status(204).end();
  });
  const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
