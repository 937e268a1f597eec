import { join } from 'node:path';
import { signInLink } from '../../console/server/ticket.js';
import type { Config } from '../../config.js';
import { readIfThere } from '../../files.js';

/** A link that signs in to the app once. Throws a RangeError where no admin token is known. */
export async function createSignInLink(config: Config, url: string, page?: string): Promise<string> {
  return signInLink(url, config.adminToken ?? (await keptToken(config.dataDir)), Date.now(), page);
}

async function keptToken(dataDir: string): Promise<string> {
  const path = join(dataDir, 'admin-token');
  const token = await readIfThere(path);
  if (token === undefined) throw new RangeError(`no admin token is known: set ADMIN_TOKEN (there is no ${path})`);
  return token.trim();
}
