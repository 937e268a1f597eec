import { createHmac, randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { scriptFile } from './script.js';

/** Points that a process takes for one subject. */
export interface Want {
  subject: string;
  points: number;
}

/** Takes points of one window of time; gives for each subject how many points all processes had taken before. */
export type LeasePoints = (window: number, wants: readonly Want[]) => Promise<number[]>;

const SALT_KEY = 'limit:salt';
const SALT_BYTES = 32;
/** A million: few enough that a number does not identify an address, enough that two active addresses hardly share one. */
const SLOTS = 2 ** 20;

/** Points that are kept after their window, for machines whose clocks differ. */
const LATE_SECONDS = 4;

/**
 * Counts points per window, in one hash for each. Machines agree on the window as far as their clocks do.
 *
 * @param seconds length of a window
 * @param arePersonal subjects are addresses of visitors. Redis then holds a number that thousands of addresses share. It is made with a
 * secret, so that no one can choose an address with the number of another
 */
export function createLimitLeases(redis: Redis, name: string, { seconds = 1, arePersonal = false } = {}): LeasePoints {
  const run = scriptFile(redis, 'lease-points');
  let salt: Promise<string> | undefined;

  const fieldsOf = async (wants: readonly Want[]): Promise<string[]> => {
    if (!arePersonal) return wants.map(({ subject }) => subject);
    salt ??= readSalt(redis).catch((error: unknown) => {
      salt = undefined;
      throw error;
    });
    const secret = await salt;
    return wants.map(
      ({ subject }) => `${createHmac('sha256', secret).update(subject).digest().readUInt32LE() % SLOTS}`,
    );
  };

  return async (window, wants) => {
    const fields = await fieldsOf(wants);
    const pairs = wants.flatMap(({ points }, i) => [fields[i] ?? '', points]);
    return (await run([`limit:${name}:${window}`], { wants: pairs, life: seconds + LATE_SECONDS })) as number[];
  };
}

async function readSalt(redis: Redis): Promise<string> {
  const own = randomBytes(SALT_BYTES).toString('hex');
  await redis.set(SALT_KEY, own, 'NX');
  return (await redis.get(SALT_KEY)) ?? own;
}
