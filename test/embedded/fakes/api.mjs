/** A stand-in for the API that only listens: says who it is, and stops on SIGTERM as the API does. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const { CLICKHOUSE_URL, REDIS_URL, DATA_DIR, ADMIN_TOKEN, SECRETS_KEY } = process.env;
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      pid: process.pid,
      path: request.url,
      CLICKHOUSE_URL,
      REDIS_URL,
      DATA_DIR,
      ADMIN_TOKEN,
      SECRETS_KEY,
    }),
  );
});
server.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => server.close(() => process.exit(0)));
