import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { RequestError } from '../errors.js';
import { createGate } from '../warehouse/gate.js';

export interface Passwords {
  /** Parameters, salt and hash as one text. Throws `rate_limited` while too many wait. */
  hash(password: string): Promise<string>;
  /**
   * Takes as long where there is no hash to compare with. Throws as {@link hash}. Callers that are not known never have all the
   * slots, nor the places of the others: a known caller waits for one hash of theirs, however many they send.
   */
  isRight(password: string, stored: string, isKnown?: boolean): Promise<boolean>;
}

/** That of the service: it needs 128 MB. */
const COST: ScryptCost = { N: 2 ** 17, r: 8, p: 1 };
const BYTES = 32;
/** Each takes 128 MB and a thread of the process for some tenths of a second. */
const AT_ONCE = 2;
const MAX_WAITING = 16;
/** Where others need the cores, four at the same moment were seen to take more than 8 s. */
const WAIT_MS = 25_000;
const RETRY_S = 5;

/** Parameters of scrypt. */
export type ScryptCost = Readonly<Record<'N' | 'r' | 'p', number>>;

/** A hash of another cost than `cost` is no one's. */
export function createPasswords(cost = COST): Passwords {
  const prefix = `scrypt$${cost.N}$${cost.r}$${cost.p}$`;
  // What the blocks need, and a little for itself.
  const options: ScryptOptions = { ...cost, maxmem: 160 * cost.N * cost.r };
  const gate = createGate({ slots: AT_ONCE, mostWaiting: MAX_WAITING });
  const unknown = createGate({ slots: AT_ONCE - 1, mostWaiting: MAX_WAITING });
  const derive = async (password: string, salt: Buffer, isKnown = true): Promise<Buffer> => {
    const work = (): Promise<Buffer> =>
      new Promise((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, BYTES, options, (error, key) => {
          if (error === null) resolve(key);
          else reject(error);
        });
      });
    const wait = { ms: WAIT_MS, onLate: () => undefined };
    const run = () => gate.run(work, wait);
    return (isKnown ? run() : unknown.run(run, wait)).catch((cause: unknown) => {
      const message = 'Many people sign in at this moment: try again shortly.';
      throw new RequestError([{ code: 'rate_limited', message }], RETRY_S, { cause });
    });
  };
  return {
    async hash(password) {
      const salt = randomBytes(16);
      return `${prefix}${salt.toString('base64url')}$${(await derive(password, salt)).toString('base64url')}`;
    },
    async isRight(password, stored, isKnown) {
      const [salt = '', hash = ''] = stored.startsWith(prefix) ? stored.slice(prefix.length).split('$') : [];
      const known = Buffer.from(hash, 'base64url');
      const given = await derive(password, salt === '' ? randomBytes(16) : Buffer.from(salt, 'base64url'), isKnown);
      return timingSafeEqual(given, known.length === BYTES ? known : randomBytes(BYTES)) && known.length === BYTES;
    },
  };
}
