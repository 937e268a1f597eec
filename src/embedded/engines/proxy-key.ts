import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivate } from '../../files.js';

/**
 * The header by which the engine knows requests of the proxy for BI tools. The engine hides headers whose names begin with `X-ClickHouse`
 * from queries.
 */
export const PROXY_KEY_HEADER = 'X-ClickHouse-Proxy-Key';

const file = (engineDir: string): string => join(engineDir, 'proxy-key');

/**
 * Makes the key that the proxy proves itself with, at each start of the engine another one, and keeps it in the engine's folder. It only
 * lets a request reach the sign-in of the engine: it is the password of no user.
 */
export async function freshProxyKey(engineDir: string): Promise<string> {
  const key = randomBytes(24).toString('hex');
  await writePrivate(file(engineDir), `${key}\n`);
  return key;
}

/** The key of the engine as it was started last. Throws if it never was. */
export const readProxyKey = async (engineDir: string): Promise<string> =>
  (await readFile(file(engineDir), 'utf8')).trim();
