import { hex } from './hex.js';

/**
 * SHA-256 of the trimmed, lowercased address as 64 hex digits; undefined for what is no address, and on pages that are
 * not a secure context, where the browser offers no digest.
 */
export async function hashEmail(email: unknown): Promise<string | undefined> {
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (!subtle || typeof email !== 'string' || !email.includes('@')) return undefined;
  return hex(new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(email.trim().toLowerCase()))));
}
