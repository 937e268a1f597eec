import { parentPort, workerData } from 'node:worker_threads';
import { openIntake } from '../deps.js';
import { RequestError } from '../errors.js';
import { openStores } from '../stores.js';
import type { Answer, Beacons, Failure, Message, Reply, ThreadData } from './messages.js';

/** A thread that reads, checks and queues orders and events, beside the one that talks HTTP. */
const { config, tokenCounts } = workerData as ThreadData;
const port = parentPort;
if (port === null) throw new Error('this is the entry of a thread');
const stores = openStores(config);
const intake = openIntake(config, stores, tokenCounts);
let replies: Reply[] = [];

port.on('message', (message: Message) => {
  switch (message.kind) {
    case 'close':
      void close();
      break;
    case 'push':
      answer(message.id, intake.pushOrders({ ...message, body: Buffer.from(message.body) }));
      break;
    case 'beacons':
      collect(message);
  }
});

function collect({ first, bodies, beacons }: Beacons): void {
  let offset = 0;
  beacons.forEach(({ length, ...beacon }, i) => {
    const body = Buffer.from(bodies, offset, length);
    offset += length;
    answer(first + i, intake.collect({ ...beacon, body }));
  });
}

function answer(id: number, result: Promise<Answer>): void {
  result.then(
    (value) => reply({ id, answer: value }),
    (error: unknown) => reply({ id, ...toFailure(error) }),
  );
}

/** The requests of one job are done at the same time: they are told of in one message. */
function reply(one: Reply): void {
  if (replies.push(one) > 1) return;
  setImmediate(() => {
    port?.postMessage(replies);
    replies = [];
  });
}

function toFailure(error: unknown): Failure {
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
  await intake.close();
  await stores.close();
  port?.close();
}
