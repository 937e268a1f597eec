import { generateKey, keyRecord, type NewKey } from '../domain/keys.js';
import type { KeyRegistry } from '../repositories/keys.js';

/** Makes a key of a shop that is for trying out, which goes on working; the one of that name that an earlier run made ends. It is shown to no one. */
export async function renewKey(
  keys: Pick<KeyRegistry, 'list' | 'save' | 'revoke'>,
  of: Pick<NewKey, 'shopId' | 'kind'> & { name: string },
  nowMs: number,
): Promise<string> {
  const before = (await keys.list(of.shopId)).filter(({ name, revokedAt }) => revokedAt === null && name === of.name);
  const key = generateKey(of.kind);
  await keys.save(keyRecord({ ...of, key }, nowMs));
  for (const { keyId } of before) await keys.revoke(keyId);
  return key;
}
