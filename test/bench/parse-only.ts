import type { AddressInfo } from 'node:net';
import { readBody } from '../../src/http/body.js';
import { createExpress, createExpressServer } from '../../src/http/express-server.js';
import { parseJson } from '../../src/http/json.js';
import { requireValid } from '../../src/http/validate.js';
import { COLLECT_BODY_BYTES, collectBatchValidator, collectEventValidator } from '../../src/schemas/collect.js';

/** The service's own HTTP server doing no more than reading, parsing and checking the events. */
process.once('message', () => {
  const app = createExpress();
  app.post('/v1/collect', async (request, response) => {
    const { events } = requireValid(collectBatchValidator, parseJson(await readBody(request, COLLECT_BODY_BYTES)));
    for (const event of events) {
      const [error] = collectEventValidator.check(event);
      if (error !== undefined) throw new Error(error.message);
    }
    response.writeHead(204).end();
  });
  const server = createExpressServer(app);
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
