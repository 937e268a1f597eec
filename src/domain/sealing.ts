import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORM = 'v1.';

/** Encrypts texts that are stored but never shown. */
export interface Sealing {
  /** `owner` names whose text it is: it opens for no other. */
  seal(text: string, owner: string): string;
  /** Null: it was sealed with another key, for another owner, or was changed. */
  open(sealed: string, owner: string): string | null;
}

/** With AES-256-GCM, under a key that is derived from the secret of the service. */
export function createSealing(secretsKey: string): Sealing {
  const key = Buffer.from(hkdfSync('sha256', secretsKey, '', 'sealed secrets', 32));
  return {
    seal(text, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(owner));
      const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return FORM + Buffer.concat(parts).toString('base64url');
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed.slice(FORM.length), 'base64url');
      if (!sealed.startsWith(FORM) || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return null;
      }
    },
  };
}
