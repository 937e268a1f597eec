import { Type } from 'typebox';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stores } from '../composition/stores.js';
import { RequestError } from '../errors.js';
import type { Warehouse } from '../warehouse/client.js';
import { isAnswered } from '../warehouse/failures.js';
import { connectionFault } from '../client/connection-fault.js';
import { defineQuery } from '../warehouse/query.js';

/** A store that a command needs and that does not answer; the message names it without its password. */
class OutOfReachError extends Error {
  override readonly name = 'OutOfReachError';
}

const REACHED = defineQuery('reach', { one: Type.Number() });
const PATIENCE_MS = 5_000;

/** Throws {@link OutOfReachError} unless the warehouse answers within some seconds. */
export async function requireWarehouse(warehouse: Warehouse, url: string): Promise<void> {
  await answers('ClickHouse', url, warehouse.ask(REACHED('SELECT 1 AS one')));
}

/** Throws {@link OutOfReachError} unless Redis answers within some seconds. */
export async function requireRedis(redis: Stores['redis'], url: string): Promise<void> {
  // A connection that is tried again and again fails with nothing but the number of its tries.
  const refused = new Promise<never>((_resolve, reject) => redis.once('error', reject));
  await answers('Redis', url, Promise.race([redis.ping(), refused]));
}

async function answers(store: string, url: string, question: Promise<unknown>): Promise<void> {
  const late = sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new OutOfReachError(`it took longer than ${PATIENCE_MS / 1000} s`);
  });
  try {
    await Promise.race([question, late]);
  } catch (error) {
    throw new OutOfReachError(`${store} at ${new URL(url).host} ${fault(error)}`, { cause: error });
  }
}

function fault(failure: unknown): string {
  const error = failure instanceof RequestError ? (failure.cause ?? failure) : failure;
  const said = error instanceof Error ? error.message : String(error);
  // The embedded engine has no way at all for a password that is not its own.
  if (/WRONGPASS|NOAUTH|Authentication failed|password is incorrect|There is no handle/i.test(said))
    return 'refuses the user or password';
  if (isAnswered(error)) return `can't be used: ${said.split('\n', 1)[0] ?? ''}`;
  if (error instanceof OutOfReachError) return `does not answer: ${said}`;
  return `does not answer: ${connectionFault(error) ?? said}; is the service running?`;
}
