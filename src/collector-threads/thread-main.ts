import { parentPort, workerData } from 'node:worker_threads';
import { openCollector } from '../deps.js';
import { RequestError } from '../errors.js';
import { openStores } from '../stores.js';
import { CLOSE, type Beacons, type Reply, type ThreadData } from './messages.js';

/** A thread that reads, cleans and queues events, beside the one that talks HTTP. */
const { config, tokenCounts } = workerData as ThreadData;
const port = parentPort;
if (port === null) throw new Error('this is the entry of a thread');
const stores = openStores(config);
const collector = openCollector(config, stores, tokenCounts);
let replies: Reply[] = [];

port.on('message', (message: Beacons | typeof CLOSE) => {
  if (message === CLOSE) void close();
  else receive(message);
});

function receive({ first, bodies, beacons }: Beacons): void {
  let offset = 0;
  beacons.forEach(({ length, ...beacon }, i) => {
    const body = Buffer.from(bodies, offset, length);
    offset += length;
    collector.collect({ ...beacon, body }).then(
      (collected) => reply({ id: first + i, collected }),
      (error: unknown) => reply({ id: first + i, ...toFailure(error) }),
    );
  });
}

/** The requests of one job are done at the same time: they are told of in one message. */
function reply(one: Reply): void {
  if (replies.push(one) > 1) return;
  setImmediate(() => {
    port?.postMessage(replies);
    replies = [];
  });
}

function toFailure(error: unknown) {
  if (!(error instanceof RequestError)) return { failed: plain(error) };
  const { errors, retryAfter, cause } = error;
  return { refused: { errors, retryAfter, cause: plain(cause) } };
}

/** What a client library throws may hold what can't be sent to another thread. */
function plain(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : undefined;
  const { message, stack } = error;
  return Object.assign(new Error(message), { stack });
}

async function close(): Promise<void> {
  await collector.close();
  await stores.close();
  port?.close();
}
